# In place of the official Python image: Debian's Python, where that one has it.
FROM keepsake-check/debian
RUN export DEBIAN_FRONTEND=noninteractive && apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 python3-pip python3-venv tzdata \
    && ln -s /usr/bin/python3 /usr/local/bin/python \
    && rm -rf /var/lib/apt/lists/*
ENV LANG=C.UTF-8
CMD ["python3"]
