# Starts a server as the entrypoint of its official image does, as far as docker-compose.yml relies
# on it: PostgreSQL makes its database at the first start, by POSTGRES_USER, POSTGRES_PASSWORD and
# POSTGRES_DB, and nobody gets in by TCP without the password; it and Valkey do not run as root.
set -eu

run_as() {
    user=$1
    shift
    exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
}

make_database() {
    install --directory --owner postgres --group postgres --mode 0700 "$PGDATA"
    (
        umask 077
        printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
        chown postgres /tmp/password
    )
    (run_as postgres initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust \
        --auth-host=scram-sha-256)
    rm /tmp/password
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
    echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
    # Not by TCP yet: whoever waits for it must not take this for the start.
    (run_as postgres pg_ctl --wait start --options="-c listen_addresses=''")
    (run_as postgres createdb --username="$POSTGRES_USER" "$POSTGRES_DB")
    (run_as postgres pg_ctl --wait --mode=fast stop)
}

case $1 in
postgres)
    PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
    PGDATA=/var/lib/postgresql/data
    export PATH PGDATA
    test -s "$PGDATA/PG_VERSION" || make_database
    run_as postgres "$@"
    ;;
valkey-server)
    cd /data
    chown valkey:valkey .
    run_as valkey "$@"
    ;;
*)
    exec "$@"
    ;;
esac
