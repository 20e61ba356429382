"""Settings, all of them from the environment, all of them with a default that works.

Each variable read here is described in ``docs/settings.md``; a test compares the two.
"""

from pathlib import Path

import django_stubs_ext
from celery.schedules import crontab
from csp import constants as csp
from django.conf import global_settings
from django.core.exceptions import ImproperlyConfigured

from memoryapp.embedded import keys, postgres, redis
from memoryapp.process import size
from memoryapp.process.environment import DEFAULTS, Environment
from memoryapp.process.installation import FILES, ROOT
from memoryapp.telemetry import logs

# So that forms and querysets can be subscripted at run time, as mypy wants.
django_stubs_ext.monkeypatch()

BASE_DIR = ROOT
env = Environment()

# Where the embedded servers, generated keys and uploads live.
KEEPSAKE_HOME = env.path("KEEPSAKE_HOME", default=DEFAULTS["KEEPSAKE_HOME"])
HOME = Path(KEEPSAKE_HOME)
# Not within it: copying an older folder back must not bring an older list.
ERASURES_DIR = env.path("ERASURES_DIR", default=str(HOME.with_name(f"{HOME.name}-erasures")))

# How much of the machine it takes: what no variable of its own sets.
SIZE = size.chosen()
KEEPSAKE_SIZE = env.str("KEEPSAKE_SIZE", default="") or SIZE.name
# The built-in embedder of new instances: "small" or "multilingual"; empty: what fits the memory.
EMBEDDER = env.str("EMBEDDER", default="") or SIZE.embedder

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or keys.load_or_create(HOME / "secret_key")
# A Fernet key that encrypts the provider keys that people enter on the settings screen. It is
# separate from SECRET_KEY, so that rotating sessions does not make stored keys unreadable.
ENCRYPTION_KEY = env.str("ENCRYPTION_KEY", default="")
# Earlier keys: they decrypt what has not been re-encrypted yet.
ENCRYPTION_KEY_FALLBACKS = env.list("ENCRYPTION_KEY_FALLBACKS", default=[])
# Without a key in the environment, the keys are in this file, one a line. `instances.secrets` reads
# it at each use.
ENCRYPTION_KEY_FILE = HOME / "encryption_key"
if not ENCRYPTION_KEY:
    keys.load_or_create(ENCRYPTION_KEY_FILE)

HOST = env.str("HOST", default=DEFAULTS["HOST"])
PORT = env.int("PORT", default=DEFAULTS["PORT"])
# This machine's own names always: health checks call it by them.
ALLOWED_HOSTS = [
    *env.list("ALLOWED_HOSTS", default=[HOST]),
    *("localhost", "127.0.0.1", "[::1]"),
]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Pages of other sites that may call the APIs from a browser, with a key; `*`: those of any site.
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
CORS_ALLOW_ALL_ORIGINS = "*" in CORS_ALLOWED_ORIGINS
CORS_ALLOWED_ORIGINS = [origin for origin in CORS_ALLOWED_ORIGINS if origin != "*"]
# Never with cookies, and never the screens, of which some are below these addresses.
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = (
    r"^/((?!api/docs)(api|v[123]|mcp)(/|$)|\.well-known/oauth-|oauth/(token|revoke|register)(/|$))"
)
# The star does not include the first.
CORS_ALLOW_HEADERS = ["authorization", "*"]
CORS_EXPOSE_HEADERS = [
    *("ETag", "Location", "Allow", "Content-Disposition", "WWW-Authenticate", "Mcp-Session-Id"),
    *("RateLimit", "RateLimit-Policy", "Retry-After", "X-Keepsake-Conversation"),
]

# The collector of the audit log, https://… or syslog+tls://host:6514; none: it stays here. The
# secret (whsec_…) signs what HTTPS sends; the file has the certificate that signed that of syslog.
AUDIT_FORWARD_URL = env.str("AUDIT_FORWARD_URL", default="")
AUDIT_FORWARD_SECRET = env.str("AUDIT_FORWARD_SECRET", default="")
AUDIT_FORWARD_CA = env.str("AUDIT_FORWARD_CA", default="")

# Addresses that are always allowed, such as an Ollama in the next container.
OUTGOING_ALLOW = env.list("OUTGOING_ALLOW", default=[])

ADMIN_USERNAME = env.str("ADMIN_USERNAME", default="admin")
ADMIN_PASSWORD = env.str("ADMIN_PASSWORD", default="")
DEMO = env.bool("DEMO", default=DEFAULTS["DEMO"])

INSTALLED_APPS = [
    "memoryapp",
    "conversations",
    "instances",
    # Without the site and the sign-in of its own: see memoryapp/admin/site.py.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "corsheaders",
    "csp",
    "django_htmx",
    "lucide",
    "ninja",
    "oauth2_provider",
]

MIDDLEWARE = [
    "memoryapp.addresses.drop_version",
    "memoryapp.request_limits.shares.return_connection",
    # Before those that answer by themselves, so that every response has their headers.
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "memoryapp.web.caching.forbid_storing",
    "memoryapp.telemetry.middleware.observe",
    "instances.signin.middleware.keep_address",
    "memoryapp.api.throttling.report_limit",
    # Before anything that shows a page.
    "instances.interface_language.choose_language",
    "memoryapp.request_limits.error_responses.answer_refusals",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "memoryapp.addresses.redirect_to_spelling",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "memoryapp.request_limits.shares.RequestShares",
    "memoryapp.request_limits.error_responses.RefuseUnstorable",
    "instances.signin.middleware.sign_in",
    "instances.last_instance.remember_instance",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memoryapp.audit.looks.record_looks",
]

APPEND_SLASH = False  # See memoryapp/addresses.py.
ROOT_URLCONF = "memoryapp.urls"
ASGI_APPLICATION = "memoryapp.asgi.application"
AUTH_USER_MODEL = "instances.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTHENTICATION_BACKENDS = ["instances.signin.backends.PasswordBackend"]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]

# --- signing in -----------------------------------------------------------------------------------

# By username and password. E-mail addresses are not needed and never used.
ACCOUNT_ADAPTER = "instances.signin.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# instances.signin.throttle counts failures, without Redis.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
# Two weeks from the last visit: using a session renews it.
SESSION_COOKIE_AGE = 14 * 24 * 3600

MFA_ADAPTER = "instances.signin.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Codes of the half minute before and after are valid as well, since clocks differ.
MFA_TOTP_TOLERANCE = 1
ACCOUNT_FORMS = {
    "login": "memoryapp.web.sign_in.forms.SignInForm",
    "reauthenticate": "memoryapp.web.sign_in.forms.ConfirmByPasswordForm",
}
MFA_FORMS = {
    "activate_totp": "memoryapp.web.sign_in.forms.NewAppForm",
    "authenticate": "memoryapp.web.sign_in.forms.CodeForm",
    "reauthenticate": "memoryapp.web.sign_in.forms.ConfirmByCodeForm",
}

# Sign-in through an identity provider. See instances/signin/oidc.py.
OIDC_ISSUER = env.str("OIDC_ISSUER", default="").rstrip("/")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC_NAME = env.str("OIDC_NAME", default="OpenID Connect")
OIDC_SCOPES = env.list("OIDC_SCOPES", default=["openid", "profile", "email"])
# Who may sign in: people with a verified address in one of these domains, or in one of the groups.
OIDC_ALLOWED_DOMAINS = env.list("OIDC_ALLOWED_DOMAINS", default=[])
OIDC_ALLOWED_GROUPS = env.list("OIDC_ALLOWED_GROUPS", default=[])
SOCIALACCOUNT_ADAPTER = "instances.signin.adapters.IdentityAdapter"
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [
            {
                "provider_id": "oidc",
                "name": OIDC_NAME,
                "client_id": OIDC_CLIENT_ID,
                "secret": OIDC_CLIENT_SECRET,
                "settings": {
                    "server_url": OIDC_ISSUER,
                    "scope": OIDC_SCOPES,
                    "oauth_pkce_enabled": True,
                },
            }
        ]
        if OIDC_ISSUER
        else []
    }
}

# --- clients connected by OAuth -------------------------------------------------------------------

# The tables are those of instances/models/oauth.py; see instances/oauth/.
OAUTH2_PROVIDER_APPLICATION_MODEL = "instances.OAuthClient"
OAUTH2_PROVIDER_GRANT_MODEL = "instances.AuthorizationCode"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "instances.AccessToken"  # noqa: S105 - the name of a model
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "instances.RefreshToken"  # noqa: S105 - the name of a model
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "instances.IDToken"  # noqa: S105 - the name of a model
OAUTH2_PROVIDER_DEVICE_GRANT_MODEL = "instances.DeviceGrant"
OAUTH2_PROVIDER = {
    "OAUTH2_VALIDATOR_CLASS": "instances.oauth.validator.Validator",
    "SCOPES": {"read": "Read", "write": "Write", "delete": "Delete"},
    "DEFAULT_SCOPES": ["read", "write"],
    "ACCESS_TOKEN_GENERATOR": "instances.oauth.tokens.new_access_token",
    "REFRESH_TOKEN_GENERATOR": "instances.oauth.tokens.new_refresh_token",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    # From the last use.
    "REFRESH_TOKEN_EXPIRE_SECONDS": 60 * 24 * 3600,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": [
        "none",
        "client_secret_post",
        "client_secret_basic",
    ],
    "OAUTH2_PROTECTED_RESOURCE_NAME": "Keepsake",
    # Programs on a computer listen on a free port.
    "ALLOW_LOCALHOST_LOOPBACK": True,
    # A client may register by itself: it can do nothing until a person connects it.
    "DCR_ENABLED": True,
    "DCR_REGISTRATION_PERMISSION_CLASSES": ["oauth2_provider.dcr.AllowAllDCRPermission"],
    "CIMD_ENABLED": True,
    "CIMD_METADATA_FETCHER": "instances.oauth.client_documents.Fetcher",
    # Best current practice: RFC 9700.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
}

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memoryapp.web.navigation.frame",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django_htmx.templatetags.django_htmx",
                "memoryapp.templatetags.icons",
            ],
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=postgres.url(HOME))}
if DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
    raise ImproperlyConfigured(
        "DATABASE_URL is not a PostgreSQL address: use postgres://user:password@host:5432/name, or "
        "leave it out for the embedded server."
    )
DATABASES["default"]["ENGINE"] = "instances.postgresql"
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# A database that is down must be reported soon.
DATABASE_TIMEOUT_SECONDS = 5
_options = DATABASES["default"].setdefault("OPTIONS", {})
_options.setdefault("connect_timeout", DATABASE_TIMEOUT_SECONDS)
# Whether a connection is the same one from one statement to the next, so that it can keep plans:
# not behind a pooler in transaction mode. See models/prepared_statements.py.
DATABASE_KEEPS_PLANS = not DATABASES["default"].get("DISABLE_SERVER_SIDE_CURSORS")
# How many connections the threads of a process share; 0: each thread keeps one of its own.
DATABASE_POOL = env.int("DATABASE_POOL", default=0)
if DATABASE_POOL:
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": DATABASE_POOL,
        "timeout": DATABASE_TIMEOUT_SECONDS,
        # Each takes memory of PostgreSQL's.
        "max_idle": 60,
        "reconnect_timeout": DATABASE_TIMEOUT_SECONDS,
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60

REDIS_URL = env.str("REDIS_URL", default=redis.url(HOME))

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis.client_url(REDIS_URL),
        "KEY_PREFIX": "keepsake",
        # A slow cache would defeat its purpose.
        "OPTIONS": {
            "socket_timeout": 1,
            "socket_connect_timeout": 1,
            "retry": redis.no_retry(),
        },
    }
}

# --- security -----------------------------------------------------------------------------------

# Whether it is reached by https. Plain http is for this machine and networks that you trust.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# An hour: a browser that has stored a year insists on https even if the certificate is lost.
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=3600) if HTTPS else 0
# Only behind a proxy that sets this header itself: otherwise any client could forge it.
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
SECURE_REDIRECT_EXEMPT = ["^(healthz|readyz|metrics)$"]  # Probes come from inside, past the proxy.
SILENCED_SYSTEM_CHECKS = [
    # HSTS for subdomains and preloading are the operator's decision.
    "security.W005",
    "security.W021",
    # Apps may return by http to the same computer, and nowhere else: see `OAuthClient.clean`.
    "oauth2_provider.W008",
    # Without HTTPS, keepsake.W006 says all that these would say again.
    *(() if HTTPS else ("security.W004", "security.W008", "security.W012", "security.W016")),
]

# Everything on a page comes from this server, and no inline script runs.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.NONE],
        "script-src": [csp.SELF],
        "style-src": [csp.SELF],
        "img-src": [csp.SELF],
        "font-src": [csp.SELF],
        "connect-src": [csp.SELF],
        "object-src": [csp.NONE],
        "base-uri": [csp.NONE],
        "form-action": [csp.SELF],
        "frame-ancestors": [csp.NONE],
    }
}
# No page needs any of these features of the browser.
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi "
        "payment usb"
    ).split()
}

# The size of a request; `request_limits` counts it before Django reads any of it.
MAX_BODY_BYTES = 3 << 20
# For chats at /v1 with a key: requests may contain pictures.
MAX_CHAT_BODY_BYTES = 50 << 20
# For a file to import, from a person who is signed in.
MAX_UPLOAD_MB = env.int("MAX_UPLOAD_MB", default=2000)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
# How long the head of a request may take.
HEAD_SECONDS = env.float("HEAD_SECONDS", default=10.0)
# How long a body may pause, and how long it may take before its average speed counts.
BODY_SILENCE_SECONDS = env.float("BODY_SILENCE_SECONDS", default=30.0)
BODY_GRACE_SECONDS = env.float("BODY_GRACE_SECONDS", default=60.0)

LANGUAGE_CODE = "en"
# Each in its own words. The catalogs are made by `make messages`.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("it", "Italiano")]
LOCALE_PATHS = [FILES / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [FILES / "static"]
SERVESTATIC_ALLOW_ALL_ORIGINS = False
# Where `collectstatic` has put them, each under a name of its content's own and compressed, as in
# the container image. Without it they are served from where they are.
STATIC_ROOT = env.str("STATIC_ROOT", default="") or None
STORAGES = {
    **global_settings.STORAGES,
    "default": {"BACKEND": "conversations.upload_storage.UploadStorage"},
}
if STATIC_ROOT:
    SERVESTATIC_USE_FINDERS = False
    SERVESTATIC_USE_MANIFEST = True
    STORAGES["staticfiles"] = {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage",
        # The web server may run as another user than `collectstatic`.
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    }
else:
    SERVESTATIC_USE_FINDERS = True
    SERVESTATIC_AUTOREFRESH = DEBUG
# Uploads stream to the disk, and then into the database, where every host finds them.
FILE_UPLOAD_TEMP_DIR = HOME / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

CELERY_BROKER_URL = redis.broker_url(REDIS_URL)
# Threads, since most tasks wait for a provider: a worker is one process, and a waiting thread costs
# little.
CELERY_WORKER_POOL = "memoryapp.celery:ThreadPool"
# Tasks that one worker runs at once, and the most of them for one instance, or for all private
# instances of one person together.
WORKER_CONCURRENCY = CELERY_WORKER_CONCURRENCY = env.int(
    "WORKER_CONCURRENCY", default=SIZE.worker_concurrency
)
WORKER_SHARE = env.int("WORKER_SHARE", default=SIZE.worker_share)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# The sweeper finds what a dead broker or worker left, so a publisher never has to wait for one.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "max_retries": 0,  # of publishers; a worker never stops trying
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# When Keepsake is stopped, tasks have this long to finish before they go back to the queue.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 2.0
CELERY_TIMEZONE = "UTC"
# A thread of the worker sends these: see memoryapp/scheduler.py.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "memoryapp.tasks.sweep", "schedule": 5.0},
    "delete_abandoned_uploads": {
        "task": "memoryapp.tasks.delete_abandoned_uploads",
        "schedule": 3600.0,
    },
    "empty_bins": {
        "task": "memoryapp.tasks.empty_bins",
        "schedule": 3600.0,
    },
    "delete_old_events": {
        "task": "memoryapp.tasks.delete_old_events",
        "schedule": 3600.0,
    },
    "delete_old_key_requests": {
        "task": "memoryapp.tasks.delete_old_key_requests",
        "schedule": 300.0,
    },
    "delete_expired_sessions": {
        "task": "memoryapp.tasks.delete_expired_sessions",
        "schedule": 3600.0,
    },
    "delete_expired_tokens": {
        "task": "memoryapp.tasks.delete_expired_tokens",
        "schedule": 3600.0,
    },
    "read_stale": {"task": "memoryapp.tasks.read_stale", "schedule": 60.0},
    "chain_audit": {"task": "memoryapp.tasks.chain_audit", "schedule": 10.0},
    "fold_counts": {"task": "memoryapp.tasks.fold_counts", "schedule": 60.0},
    "backfill": {"task": "memoryapp.tasks.backfill", "schedule": 30.0},
    "tend_vector_indexes": {
        "task": "memoryapp.tasks.tend_vector_indexes",
        "schedule": 600.0,
    },
    "count_words": {"task": "memoryapp.tasks.count_words", "schedule": 600.0},
    "assess": {"task": "memoryapp.tasks.assess", "schedule": 120.0},
    "find_alike": {"task": "memoryapp.tasks.find_alike", "schedule": 300.0},
    "ask_golden_questions": {"task": "memoryapp.tasks.ask_golden_questions", "schedule": 60.0},
    "decay": {"task": "memoryapp.tasks.decay", "schedule": crontab(hour=3, minute=30)},
    "apply_retention": {
        "task": "memoryapp.tasks.apply_retention",
        "schedule": crontab(hour=2, minute=30),
    },
}

# Texts a minute that are embedded in the background for one instance; 0: as fast as it goes.
BACKFILL_RATE = env.int("BACKFILL_RATE", default=0)

# Documents that programs may keep in the store of one instance, and their size in total.
STORE_MAX_DOCUMENTS = env.int("STORE_MAX_DOCUMENTS", default=100_000)
STORE_MAX_MB = env.int("STORE_MAX_MB", default=256)

# The days below which no retention rule goes, by what is kept, such as "activity=183".
RETENTION_FLOORS = env.list("RETENTION_FLOORS", default=["activity=183"])

# Vectors of one instance from which on they are searched through an index of their own, which finds
# nearly all; below, every one is compared. 0: always every one.
VECTOR_INDEX_FROM = env.int("VECTOR_INDEX_FROM", default=10_000)
# Megabytes of PostgreSQL's memory for building such an index, at most: an eighth of this machine's.
VECTOR_INDEX_MEMORY = env.int("VECTOR_INDEX_MEMORY", default=size.memory_bytes() // 8 >> 20)

# How long a run may take before it is given up and begun again.
RUN_TIMEOUT_SECONDS = env.int("RUN_TIMEOUT_SECONDS", default=180)

# Requests a minute that one API key may make; 0: as many as it likes.
API_RATE_LIMIT = env.int("API_RATE_LIMIT", default=600)

LOG_FORMAT = env.str("LOG_FORMAT", default="console")
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
LOGGING = logs.config(LOG_FORMAT, LOG_LEVEL)

# Where traces are sent; without it there are none. OpenTelemetry reads the others by itself.
OTEL_EXPORTER_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
OTEL_EXPORTER_OTLP_HEADERS = env.str("OTEL_EXPORTER_OTLP_HEADERS", default="")
OTEL_SDK_DISABLED = env.bool("OTEL_SDK_DISABLED", default=False)
OTEL_SERVICE_NAME = env.str("OTEL_SERVICE_NAME", default="keepsake")
OTEL_TRACES_SAMPLER = env.str("OTEL_TRACES_SAMPLER", default="parentbased_always_on")
OTEL_TRACES_SAMPLER_ARG = env.str("OTEL_TRACES_SAMPLER_ARG", default="")

# With it, /metrics can be read. Without one, there is no such page, and nothing is counted.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where the processes of one web server put their timings together.
PROMETHEUS_MULTIPROC_DIR = env.str("PROMETHEUS_MULTIPROC_DIR", default="")
if PROMETHEUS_MULTIPROC_DIR:
    Path(PROMETHEUS_MULTIPROC_DIR).mkdir(parents=True, exist_ok=True)
