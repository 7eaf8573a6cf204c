# SPDX-License-Identifier: Apache-2.0
"""A Slurm cluster on this machine: munged, slurmctld and several slurmd, in a folder of their own,
on ports of the loopback interface. Debian's packages (tools/slurm-packages.txt), no service of the
system."""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("sbatch", "squeue", "scancel", "sinfo", "scontrol")
# Debian's place of daemons is not in everybody's PATH.
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])


def missing():
    """Returns the programs that are not installed."""
    return [name for name in (*DAEMONS, *COMMANDS) if not shutil.which(name, path=PATH)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, folder, nodes):
        self.folder = pathlib.Path(folder)
        self.nodes = [f"n{i}" for i in range(1, nodes + 1)]
        self.processes = {}
        for name in ("munge", "state", *(f"spool-{node}" for node in self.nodes)):
            (self.folder / name).mkdir(mode=0o755)
        os.chmod(self.folder, 0o755)
        self.config = self.folder / "slurm.conf"
        self.socket = self.folder / "munge/socket"
        self.write_config()
        self.environment = {**os.environ, "SLURM_CONF": str(self.config), "PATH": PATH}

    def write_config(self):
        control, *ports = free_ports(1 + len(self.nodes))
        user = getpass.getuser()
        lines = [
            "ClusterName=warpmem", f"SlurmctldHost={socket.gethostname()}(127.0.0.1)",
            f"SlurmUser={user}", f"SlurmdUser={user}", f"SlurmctldPort={control}",
            "AuthType=auth/munge", f"AuthInfo=socket={self.socket}", "CryptoType=crypto/munge",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool-%n",
            f"SlurmctldPidFile={self.folder}/slurmctld.pid",
            f"SlurmdPidFile={self.folder}/slurmd-%n.pid",
            f"SlurmctldLogFile={self.folder}/slurmctld.log",
            f"SlurmdLogFile={self.folder}/slurmd-%n.log",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "MpiDefault=none",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "ReturnToService=2",
            "SlurmdTimeout=10", "SlurmctldTimeout=10", "KillWait=5", "MessageTimeout=20",
            "SlurmdParameters=config_overrides", "JobRequeue=1",
            "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny",
            # A requeued job may begin again at once.
            "SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0",
        ]
        for node, port in zip(self.nodes, ports):
            lines.append(f"NodeName={node} NodeHostname={socket.gethostname()} "
                         f"NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN")
        lines.append("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        self.config.write_text("\n".join(lines) + "\n")

    def start(self, name, *command):
        log = open(self.folder / f"{name}.out", "ab")
        self.processes[name] = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True)
        log.close()

    def start_controller(self):
        self.start("slurmctld", "slurmctld", "-D", "-f", str(self.config))

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node, "-f", str(self.config))

    def up(self):
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.start("munged", "munged", "-F", "--force", f"--key-file={key}",
                   f"--socket={self.socket}", f"--pid-file={self.folder}/munge/pid",
                   f"--seed-file={self.folder}/munge/seed", f"--log-file={self.folder}/munge/log",
                   "--num-threads=2")
        self.wait("munge", self.socket.exists)
        self.start_controller()
        for node in self.nodes:
            self.start_node(node)
        self.wait("nodes", lambda: self.idle() == len(self.nodes))

    def wait(self, what, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not there after {seconds} s\n{self.logs()}")
            time.sleep(0.2)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True)

    def idle(self):
        listed = self.call("sinfo", "-h", "-N", "-o", "%T").stdout.split()
        return listed.count("idle")

    def release_held(self):
        """Does what an operator does: a controller that had lost its latest jobs may give a number
        again which a node still has; it then holds the task and drains the node."""
        held = self.call("squeue", "-h", "-r", "-o", "%i %r").stdout.splitlines()
        held = [line.split()[0] for line in held if line.endswith("launch failed requeued held")]
        if not held:
            return
        listed = self.call("sinfo", "-h", "-N", "-o", "%N %T").stdout.split()
        for node, state in zip(listed[::2], listed[1::2]):
            if state.startswith("drain"):
                self.call("scontrol", "update", f"NodeName={node}", "State=RESUME")
        for job in held:
            self.call("scontrol", "release", job)

    def kill(self, name):
        """Ends one daemon as a crash would; what it started goes on."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def logs(self):
        text = ""
        for file in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]):
            text += f"--- {file.name}\n" + "\n".join(file.read_text().splitlines()[-15:]) + "\n"
        return text

    def down(self):
        if "slurmctld" in self.processes:
            self.call("scancel", "--user", getpass.getuser())
        for process in reversed(list(self.processes.values())):
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
