"""A machine: a folder with Debian in it, which systemd starts in namespaces of its own."""

import ctypes
import os
import shutil
import signal
import subprocess
from pathlib import Path

from tests.deployment.files import PROJECT, project_files
from tests.deployment.image_check.base_images import mirror
from tests.deployment.image_check.steps import Failed, until

#: Folder that keeps what is downloaded from one run to the next.
CACHE = Path.home() / ".cache" / "keepsake-servers-check"
#: Where the code comes from.
REPOSITORY = "/srv/keepsake"
#: What an empty server has.
EMPTY = "systemd,systemd-sysv,dbus,ca-certificates,curl"
ENVIRONMENT = ("env", "-i", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive")
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

#: Runs a command in the folder, with the network of this process.
ENTER = """
mount --bind /dev "$0/dev"; mount -t proc none "$0/proc"; cp /etc/resolv.conf "$0/etc/" || true
exec chroot "$0" "$@"
"""
#: Makes a machine of the folder: file systems that the kernel offers, a few devices, and systemd.
BOOT = """
mount --bind "$0" "$0"
cd "$0"
mount -t proc none proc; mount -t sysfs none sys; mount -t cgroup2 none sys/fs/cgroup
for it in run dev; do mount -t tmpfs -o mode=755 none $it; done
mount -t tmpfs none tmp
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 none dev/pts
ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd; touch dev/console
for it in null zero full random urandom tty; do touch dev/$it; mount --bind /dev/$it dev/$it; done
hostname "$1"
mkdir -p old; pivot_root . old; umount -l /old
exec env -i container=other /sbin/init
"""


class Machine:
    """A machine in *folder*."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.root = folder / name
        self._log = folder / f"{name}.log"
        self._group = _control_groups() / f"keepsake-servers-check-{os.getpid()}-{name}"
        self._running: subprocess.Popen[bytes] | None = None

    def install(self, base: Path) -> None:
        """Make an empty server, with a repository of the project."""
        self.copy(base)
        for name in project_files():
            copy = self.repository / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, copy)
        self.git("init", "--quiet")
        self.commit()
        self.trust_as_this_machine()

    @property
    def repository(self) -> Path:
        """The repository, as this machine sees it."""
        return self.root / REPOSITORY[1:]

    def commit(self) -> None:
        """Commit all files of the repository."""
        self.git("add", "--force", "--all")
        self.git(
            "-c",
            "user.name=Ana",
            "-c",
            "user.email=ana@example.org",
            "commit",
            "--quiet",
            "--message=Change",
        )

    def git(self, *words: str) -> None:
        """Run git in the repository."""
        subprocess.run(["git", "-C", self.repository, *words], check=True)

    def copy(self, base: Path) -> None:
        """Take the files of another folder."""
        subprocess.run(["cp", "--archive", "--reflink=auto", base, self.root], check=True)

    def trust_as_this_machine(self) -> None:
        """Trust whom this machine trusts, and find packages where it finds them."""
        for file in Path("/usr/local/share/ca-certificates").glob("*.crt"):
            shutil.copy(file, self.root / "usr/local/share/ca-certificates")
        if (settings := Path("/etc/pip.conf")).exists():
            shutil.copy(settings, self.root / "etc")
        self.run("update-ca-certificates")

    def start(self) -> None:
        """Start it, and wait until systemd has started everything."""
        self._group.mkdir()
        # A group of its own first: the machine sees no other ones.
        command = f'echo $$ > "{self._group}/cgroup.procs"; exec "$@"'
        namespaces = ("--mount", "--pid", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child")
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                [
                    *("sh", "-e", "-c", command, "sh"),
                    *("unshare", *namespaces, "sh", "-e", "-c", BOOT, str(self.root), self.name),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until(self._is_up, lambda: f"{self.name} does not start: {self._log.read_text()[-600:]}")

    def _is_up(self) -> bool:
        try:
            state = self.run("systemctl is-system-running || true").strip()
        except Failed:
            return False
        return state in ("running", "degraded")

    def stop(self) -> None:
        """End it, with everything that runs there."""
        if self._running is None:
            return
        with_init = self._init()
        if with_init is not None:
            # As `poweroff` does.
            os.kill(with_init, signal.SIGRTMIN + 4)
        try:
            self._running.wait(30)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()
        self._running = None
        until(self._remove_group, "its control groups are in use", 20)

    def _remove_group(self) -> bool:
        for folder, _, _ in os.walk(self._group, topdown=False):
            try:
                Path(folder).rmdir()
            except OSError:
                return False
        return True

    def run(self, command: str, seconds: float = 600, stdin: bytes = b"") -> str:
        """Run a command of the shell there, and return its output. Raises `Failed`."""
        code, output = self.tried(command, seconds, stdin)
        if code != 0:
            raise Failed(f"{self.name}: {command} = {code}: {output[-2000:]}")
        return output

    def tried(self, command: str, seconds: float = 600, stdin: bytes = b"") -> tuple[int, str]:
        """Run a command of the shell there; return its exit code and all its output."""
        try:
            done = subprocess.run(
                self.words(command),
                input=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name}: {command} takes more than {seconds:g} s") from None
        return done.returncode, done.stdout.decode(errors="replace")

    def write(self, path: str, text: str) -> None:
        """Write a file there, with the owner and mode that it has, or as root's."""
        self.run(f"cat > {path}", stdin=text.encode())

    def words(self, command: str) -> list[str]:
        """Return the words that run a command of the shell there."""
        return [*self._entrance(), *ENVIRONMENT, PATH, "sh", "-e", "-c", command]

    def _entrance(self) -> list[str]:
        if self._running is None:
            own = ("--mount", "--pid", "--fork", "--kill-child")
            return ["unshare", *own, "sh", "-e", "-c", ENTER, str(self.root)]
        if (init := self._init()) is None:
            raise Failed(f"{self.name} does not run")
        its = ("--mount", "--pid", "--uts", "--ipc", "--cgroup")
        return ["nsenter", "--target", str(init), *its, "--"]

    def _init(self) -> int | None:
        assert self._running is not None
        pid = self._running.pid
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            (init,) = map(int, children)
            is_systemd = Path(f"/proc/{init}/comm").read_text().strip() == "systemd"
        except (OSError, ValueError):
            return None
        return init if is_systemd else None


def debian(suite: str, *packages: str) -> Path:
    """Return a folder with this Debian, and with these packages, from the cache or made."""
    folder = CACHE / "-".join([suite, *(packages or ["empty"])])
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    made = folder.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    # One that is newer than debootstrap itself is made like the newest.
    script = Path("/usr/share/debootstrap/scripts") / suite
    command = ["debootstrap", "--variant=minbase", f"--include={EMPTY}", suite, str(made), mirror()]
    done = subprocess.run(
        command if script.exists() else [*command, str(script.with_name("sid"))],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failed(f"debootstrap {suite}: {done.stdout[-400:]}{done.stderr[-400:]}")
    if packages:
        machine = Machine(made.name, CACHE)
        machine.run(
            "apt-get -o Acquire::Check-Valid-Until=false update; "
            f"apt-get install --yes --no-install-recommends {' '.join(packages)}"
        )
    made.rename(folder)
    return folder


def cut_off(hosts: str) -> None:
    """Give this process, and what it starts, a network that leads nowhere, in which the names in
    *hosts* are known.
    """
    new_mounts, new_network = 0x00020000, 0x40000000
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(new_mounts | new_network) != 0:
        raise Failed(f"no network of its own: {os.strerror(ctypes.get_errno())}")
    file = CACHE / "hosts"
    file.write_text(hosts)
    for command in (
        ["mount", "--make-rprivate", "/"],
        ["mount", "--bind", str(file), "/etc/hosts"],
        ["ip", "link", "set", "lo", "up"],
    ):
        subprocess.run(command, check=True)


def _control_groups() -> Path:
    """Return where the second version of control groups is mounted."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, path, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(path)
    raise Failed("no control groups (cgroup2) are mounted here")
