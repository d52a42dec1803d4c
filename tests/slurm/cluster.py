# SPDX-License-Identifier: Apache-2.0
"""A cluster of Slurm on this machine alone: munge, a controller and two nodes, all below one folder, ended with it.

Debian's slurmd is built for several of them on one machine (`slurmd -N NAME`), which Slurm's documentation calls
multiple slurmd support. Nothing of an installed cluster is touched: own key, own sockets, own ports, own configuration.
"""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/socket/munge
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
# No cgroups, no accounting: plain processes.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
KillWait=3
MinJobAge=300
ReturnToService=2
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[2]}] CPUs={cpus} RealMemory=500
PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no cluster here; "" where there can."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        return f"{', '.join(missing)} not installed (Debian's slurm-wlm and munge)"
    if os.geteuid() != 0:
        return "slurmd starts jobs as root only"
    for folder in ("/sys/fs/cgroup", "/sys/devices/system/cpu"):
        if not os.path.isdir(folder):
            return f"slurmd does not start where {folder} cannot be seen, as in some containers"
    return ""


def free_ports(count):
    """Consecutive ones that nobody listens on."""
    for first in range(20000 + os.getpid() % 20000, 60000, 7):
        sockets = []
        try:
            for number in range(count):
                each = socket.socket()
                sockets.append(each)
                each.bind(("127.0.0.1", first + number))
            return [first + number for number in range(count)]
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise RuntimeError("no free ports")


class Cluster:
    """with Cluster(folder, cpus=1) as cluster: run Slurm's commands with cluster.environment."""

    def __init__(self, folder, cpus=1):
        self.folder = pathlib.Path(folder)
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=f"{self.folder}/slurm.conf",
                                PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        for name in [name for name in self.environment if name.startswith(("SLURM_", "SBATCH_", "SQUEUE_"))]:
            if name != "SLURM_CONF":
                del self.environment[name]
        for name in ("socket", "key", "state", "spool.n1", "spool.n2"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "key").chmod(0o700)
        (self.folder / "key/munge.key").write_bytes(os.urandom(1024))
        (self.folder / "key/munge.key").chmod(0o600)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=socket.gethostname().split(".")[0], ports=free_ports(3), cpus=cpus,
            user=pwd.getpwuid(os.geteuid()).pw_name))

    def start(self, *command):
        log = (self.folder / f"{command[0]}.out").open("ab")
        self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log))

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60)

    def __enter__(self):
        key = self.folder / "key"
        self.start("munged", "--foreground", "--force", f"--key-file={key}/munge.key",
                   f"--socket={self.folder}/socket/munge", f"--pid-file={key}/munged.pid", f"--log-file={key}/munged.log",
                   f"--seed-file={key}/seed")
        self.wait_for(lambda: (self.folder / "socket/munge").exists(), "munged's socket")
        self.start("slurmctld", "-D", "-i")
        for node in ("n1", "n2"):
            self.start("slurmd", "-D", "-N", node)
        self.wait_for(lambda: self.ask("sinfo", "--noheader", "--format=%t %D").stdout.split() == ["idle", "2"],
                      "two idle nodes")
        return self

    def wait_for(self, condition, what, seconds=40):
        end = time.monotonic() + seconds
        while not condition():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                logs = "".join(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}\n"
                               for log in sorted(self.folder.glob("*.out")) + sorted(self.folder.glob("*.log")))
                self.__exit__()
                raise RuntimeError(f"waited for {what}; ended: {ended}\n{logs}")
            time.sleep(0.1)

    def queue(self):
        """[(task, state)] of what is in the queue."""
        lines = self.ask("squeue", "--noheader", "--array", "--format=%K %t").stdout.splitlines()
        return [tuple(line.split()) for line in lines]

    def __exit__(self, *_):
        if any(daemon.args[0] == "slurmd" and daemon.poll() is None for daemon in self.daemons):
            self.ask("scancel", "--user=" + str(os.geteuid()))
            end = time.monotonic() + 10
            while self.queue() and time.monotonic() < end:
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=15)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
