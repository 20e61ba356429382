"""A database on its way onto the cluster and back, and what people and programs do there."""

import re
from collections.abc import Iterable
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

from psycopg import sql

from tests.deployment.citus_check.cluster import Cluster, Node
from tests.deployment.citus_check.site import Site
from tests.deployment.image_check import use
from tests.deployment.image_check.installation import ADMIN_PASSWORD
from tests.deployment.image_check.model_server import PORT as MODEL_PORT
from tests.deployment.image_check.steps import Failed, Steps, expect, until
from tests.deployment.image_check.visitor import Visitor

DATABASE = "keepsake"
#: Enough instances that both workers have some.
SLUGS = tuple(f"house-{number}" for number in range(1, 7))
MAKE_INSTANCES = f"""
from instances.models import ApiKey, Instance, Provider, Webhook, WebhookEvent
from instances.models.keys import Permission
for slug in {SLUGS!r}:
    instance = Instance.objects.create(
        slug=slug, name=slug, memory_enabled=True, provider=Provider.CUSTOM,
        base_url="http://127.0.0.1:{MODEL_PORT}/v1", chat_model="scripted", fast_model="scripted",
    )
    key = ApiKey(instance=instance, name=slug, scopes=[it.value for it in Permission])
    print("KEY", slug, instance.pk, key.make_secret())
    key.save()
    Webhook.objects.create(
        instance=instance, url="http://127.0.0.1:{MODEL_PORT}/events",
        events=[it.value for it in WebhookEvent],
    )
"""
#: As the last step of a person who has typed the name.
DELETE_INSTANCE = "from instances.models import Instance; Instance.objects.get(slug={!r}).delete()"
#: The migration of a later version, which adds a table of content.
LATER = """
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from instances.constraints import within_instance
class Later(migrations.Migration):
    operations = [
        migrations.CreateModel("Later", [
            ("id", models.BigAutoField(primary_key=True)),
            ("instance", models.ForeignKey("instances.Instance", on_delete=models.CASCADE)),
            ("conversation", models.ForeignKey(
                "conversations.Conversation", db_constraint=False, on_delete=models.CASCADE
            )),
        ]),
        within_instance("memoryapp_later", "conversation_id", "conversations_conversation"),
    ]
state = MigrationLoader(connection).project_state()
with connection.schema_editor() as editor:
    Later("later", "memoryapp").apply(state, editor)
"""
TABLES = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
CONTENT = """
SELECT relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'instance_id'
    AND attnotnull AND (relname LIKE 'memoryapp%' OR relname LIKE 'conversations%')
ORDER BY relname
"""
DISTRIBUTED = "SELECT logicalrelid::text FROM pg_dist_partition WHERE partmethod = 'h' ORDER BY 1"
#: The keys and triggers of our tables. A check that was copied is written with other casts.
MECHANICS = """
SELECT conrelid::regclass::text, conname,
    CASE WHEN contype = 'c' THEN 'CHECK' ELSE pg_get_constraintdef(oid) END,
    obj_description(oid, 'pg_constraint')
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid IN (
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
)
UNION ALL
SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), NULL FROM pg_trigger
WHERE NOT tgisinternal AND tgrelid IN (
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
)
ORDER BY 1, 2
"""
#: Tables whose rows a deletion of memories takes.
OF_MEMORIES = [f"memoryapp_memory{part}" for part in ("", "embedding", "source", "revision")]
PLACE = """
SELECT nodeport FROM pg_dist_shard_placement
WHERE shardid = get_shard_id_for_distribution_column('memoryapp_memory', %s)
"""


class Walk:
    """One database on a cluster, with instances and a program with a key in each."""

    def __init__(self, cluster: Cluster, folder: Path, port: int) -> None:
        self.cluster = cluster
        self.site = Site(folder, cluster.address(DATABASE), port)
        self.ids: dict[str, int] = {}
        self.programs: dict[str, Visitor] = {}
        self._before: dict[str, tuple[Any, ...]] = {}
        self._plain: list[tuple[object, ...]] = []

    def there_and_back(self, steps: Steps) -> None:
        """Fill a plain database, divide it, take it back and divide it again."""
        steps.run("a database on each server", lambda: self.cluster.create(DATABASE))
        steps.run("tables", lambda: self.site.manage("set_up") and "")
        steps.run("instances", self.make_instances)
        steps.run("start, plain", self.site.start)
        for slug in SLUGS[:2]:
            steps.run(f"filled: {slug}", partial(self.fill, slug))
        steps.run("stop", self.site.stop)
        steps.run("dry run", self.dry_run)
        steps.run("divided", self.divide)
        steps.run("refused without the way back", self.no_partitions)
        steps.run("taken back", self.take_back)
        steps.run("divided again", self.divide)
        steps.run("a table of a later version", self.later_table)

    def use(self, steps: Steps) -> None:
        """Use it by each door."""
        steps.run("start, divided", self.site.start)
        for slug, program in self.programs.items():
            steps.run(f"store and search: {slug}", partial(use.store, program))
        program = self.programs[SLUGS[2]]
        steps.run("screens", self.read_pages)
        steps.run("import", lambda: use.import_file(program))
        steps.run("MCP", lambda: use.use_mcp(program))
        steps.run("chat", lambda: use.chat(program))
        steps.run("a deletion is undone", self.undo_deletion)
        steps.run("a person is erased", self.erase)
        steps.run("an instance is deleted", self.delete_instance)
        steps.run("a worker is killed", self.kill_worker)

    def make_instances(self) -> str:
        """Make the instances and a key of each."""
        output = self.site.manage("shell", "--command", MAKE_INSTANCES)
        for slug, number, key in re.findall(r"^KEY (\S+) (\d+) (\S+)$", output, re.MULTILINE):
            self.ids[slug] = int(number)
            self.programs[slug] = Visitor(self.site.address, key=key)
        expect(set(self.ids) == set(SLUGS), f"not all are made: {output[-500:]}")
        return f"{len(self.ids)} instances"

    def fill(self, slug: str) -> str:
        """Store facts, and have conversations read."""
        program = self.programs[slug]
        return f"{use.store(program)}; {use.import_file(program)}"

    def dry_run(self) -> str:
        """See that it names tables and changes nothing."""
        self._before, self._plain = self.rows(), self.mechanics()
        output = self.site.manage("distribute", "--dry-run")
        for words in ("memoryapp_memory ", "instances_user ", "Nothing was changed."):
            expect(words in output, f"it does not say {words}: {output[-600:]}")
        expect("Before that" not in output, output[-600:])
        expect(self.distributed() == [], "tables are divided")
        return output.strip().rpartition("\n")[2]

    def divide(self) -> str:
        """Divide the tables: no row is lost, and each worker has instances."""
        said = self.site.manage("distribute").strip().rpartition("\n")[2]
        self.expect_same_rows()
        expect(self.distributed() == self.column(CONTENT), "not all content is divided")
        places = {slug: self.place(slug).name for slug in SLUGS}
        expect(len(set(places.values())) == len(self.cluster.workers), f"all on one: {places}")
        return f"{said} {', '.join(f'{slug} on {name}' for slug, name in places.items())}"

    def no_partitions(self) -> str:
        """See that the divided tables are refused what they cannot become."""
        for options in (("--undo",), ("--partitions", "4")):
            code, said = self.site.tried("partition", *options)
            expect(code != 0 and "distribute --undo" in said, f"it says {said[-500:]}")
        return said.strip().rpartition("\n")[2]

    def take_back(self) -> str:
        """Take the tables back and make them plain: everything is as at first."""
        self.site.manage("distribute", "--undo")
        self.expect_same_rows()
        self.site.manage("partition", "--undo")
        self.expect_same_rows()
        expect(self.distributed() == [], "tables are divided")
        found = self.mechanics()
        expect(
            found == self._plain, f"keys and triggers differ: {set(found) ^ set(self._plain)}"[:900]
        )
        return f"{len(found)} keys and triggers are as before"

    def later_table(self) -> str:
        """Add a table of content by a migration, which divides it at once."""
        self.site.manage("shell", "--command", LATER)
        expect("memoryapp_later" in self.distributed(), "it is not divided")
        expect("Nothing to do." in self.site.manage("distribute"), "something is left to do")
        self.site.manage("migrate")
        self.cluster.coordinator.ask("DROP TABLE memoryapp_later", database=DATABASE)
        return "divided by its migration"

    def read_pages(self) -> str:
        """Sign in and open the screens."""
        browser = Visitor(self.site.address)
        browser.sign_in("admin", ADMIN_PASSWORD)
        paths = [
            "/memory",
            "/conversations",
            "/chat",
            "/status/usage",
            "/memory/graph",
            "/conversations/palace",
        ]
        paths += [
            "/status/health",
            "/activity",
            "/status/jobs",
            "/memory/people",
            "/memory/documents",
        ]
        for path in paths:
            browser.page(f"{path}?instance={SLUGS[0]}")
        return f"{len(paths)} screens"

    def undo_deletion(self) -> str:
        """Delete all memories of an instance on the screen and undo it: all rows are back."""
        slug = SLUGS[0]
        memories = self.programs[slug].send("GET", "/api/memories?limit=100").json["items"]
        before = self.rows(OF_MEMORIES, self.ids[slug])
        browser = Visitor(self.site.address)
        browser.sign_in("admin", ADMIN_PASSWORD)
        deleted = browser.submit(
            f"/memory/delete?instance={slug}",
            {"id": [each["id"] for each in memories], "confirmed": "yes"},
            on=browser.page(f"/memory?instance={slug}"),
        ).body
        left = self.rows(OF_MEMORIES, self.ids[slug])
        expect(not any(number for number, _ in left.values()), f"rows are left: {left}")
        undo = re.search(r'action="(/memory/undo[^"]*)".*?</form>', deleted, re.DOTALL)
        if undo is None:
            raise Failed("the page does not offer to undo it")
        fields = dict(re.findall(r'name="(name|key)" value="([^"]*)"', undo[0]))
        said = browser.submit(unescape(undo[1]), fields, on=deleted).body
        expect(f"Restored {len(memories)} memories." in said, "it does not say that they are back")
        found = self.rows(OF_MEMORIES, self.ids[slug])
        expect(found == before, f"other rows: {before} {found}")
        return f"{len(memories)} memories, with {sum(n for n, _ in found.values())} rows"

    def erase(self) -> str:
        """Erase a person: nothing that names them is left in the instance."""
        slug = SLUGS[2]
        program, person = self.programs[slug], use.WALNUTS[0]
        answer = program.send(
            "POST", "/api/people/erasures", {"user_id": person, "confirm": person}
        )
        expect(answer.status == 202, f"it is answered with {answer.status} {answer.body[:300]}")
        path = f"/api/people/erasures/{answer.json['id']}"
        until(
            lambda: program.send("GET", path).json["state"] == "done",
            lambda: f"it is not done: {program.send('GET', path).body[:500]} {self.site.said()}",
        )
        left = self.count("t.instance_id = %s AND t::text LIKE '%%walnut%%'", self.ids[slug])
        expect(not left, f"rows are left: {left}")
        use.finds(self.programs[SLUGS[3]], use.WALNUTS, "what should Ana not eat?")
        return f"{program.send('GET', path).json['rows']} rows; others keep theirs"

    def delete_instance(self) -> str:
        """Delete an instance with memories and a webhook: no row of it is left in any table, and no
        worker breaks down.
        """
        slug = SLUGS[5]
        there = self.count("t.instance_id = %s", self.ids[slug])
        told = {"memoryapp_memory", "memoryapp_webhookdelivery"}
        expect(told <= there.keys(), f"it has nothing to tell of: {there}")
        self.site.manage("shell", "--command", DELETE_INSTANCE.format(slug))
        left = self.count("t.instance_id = %s", self.ids[slug])
        expect(not left, f"rows are left: {left}")
        for node in self.cluster.workers:
            expect("terminated by signal" not in node.log.read_text(), f"{node.name} broke down")
        return f"none of {sum(there.values())} rows is left"

    def kill_worker(self) -> str:
        """Kill a worker: only its instances wait, and nothing is lost."""
        slugs = [slug for slug in SLUGS[:5] if slug != SLUGS[2]]
        lost = self.place(slugs[0])
        away = [slug for slug in slugs if self.place(slug) is lost]
        here = [slug for slug in slugs if slug not in away]
        expect(here, "all instances are on the worker")
        before = self.count("t.instance_id = ANY(%s)", [self.ids[slug] for slug in away])
        lost.kill()
        for slug in away:
            status = self.programs[slug].send("GET", "/api/memories").status
            expect(status >= 500, f"{slug} is answered with {status} without its worker")
        for slug in here:
            use.store(self.programs[slug])
        Visitor(self.site.address).sign_in("admin", ADMIN_PASSWORD)
        lost.start()
        for slug in away:
            until(partial(self._answers, slug), f"{slug} does not come back")
            use.finds(self.programs[slug], use.WALNUTS, "what should Ana not eat?")
        after = self.count("t.instance_id = ANY(%s)", [self.ids[slug] for slug in away])
        fewer = {name for name in before if after.get(name, 0) < before[name]}
        expect(not fewer, f"rows are lost: {fewer}")
        return f"{', '.join(away)} waited for it, {', '.join(here)} did not; people signed in"

    def _answers(self, slug: str) -> bool:
        return self.programs[slug].send("GET", "/api/memories").status == 200

    def count(self, condition: str, *params: object) -> dict[str, int]:
        """The number of rows of content that a condition holds for, by table; none for zero."""
        found = {}
        for name in self.column(CONTENT):
            query = sql.SQL("SELECT count(*) FROM {} t WHERE ").format(sql.Identifier(str(name)))
            query += sql.SQL(condition)
            ((number,),) = self.cluster.coordinator.ask(query, *params, database=DATABASE)
            if number:
                found[str(name)] = number
        return found

    def place(self, slug: str) -> Node:
        """The worker that has the rows of an instance."""
        (port,) = self.column(PLACE, self.ids[slug])
        return next(node for node in self.cluster.workers if node.port == port)

    def distributed(self) -> list[object]:
        """The names of the tables that are divided."""
        return self.column(DISTRIBUTED)

    def column(self, query: str, *params: object) -> list[object]:
        """The first column of what a query finds."""
        return [row[0] for row in self.cluster.coordinator.ask(query, *params, database=DATABASE)]

    def rows(
        self, tables: Iterable[object] | None = None, instance: int | None = None
    ) -> dict[str, tuple[Any, ...]]:
        """The number of rows in each table, of an instance or of all, and a digest of them."""
        found = {}
        for name in tables or self.column(TABLES):
            query = sql.SQL(
                "SELECT count(*), md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM {} t"
            ).format(sql.Identifier(str(name)))
            if instance is not None:
                query += sql.SQL(" WHERE instance_id = {}").format(instance)
            (found[str(name)],) = self.cluster.coordinator.ask(query, database=DATABASE)
        return found

    def mechanics(self) -> list[tuple[object, ...]]:
        """Keys and triggers, with their definitions."""
        return self.cluster.coordinator.ask(MECHANICS, database=DATABASE)

    def expect_same_rows(self) -> None:
        """See that no row has come, gone or changed since the dry run."""
        found = self.rows()
        differ = {
            name for name in self._before | found if self._before.get(name) != found.get(name)
        }
        # The indexes of vectors are built anew.
        expect(differ <= {"memoryapp_vectorindex"}, f"other rows: {sorted(differ)}")
