# In place of the official images of PostgreSQL with pgvector, Valkey and Caddy: Debian's packages.
FROM keepsake-check/debian
RUN export DEBIAN_FRONTEND=noninteractive && apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-common \
    && echo "create_main_cluster = false" >> /etc/postgresql-common/createcluster.conf \
    && apt-get install --yes --no-install-recommends caddy postgresql '^postgresql-[0-9]+-pgvector$' valkey-server \
    && rm -rf /var/lib/apt/lists/*
COPY servers-entrypoint.sh /usr/local/bin/entrypoint.sh
ENV LANG=C.UTF-8
ENTRYPOINT ["sh", "/usr/local/bin/entrypoint.sh"]
