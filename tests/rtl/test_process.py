"""Outside programs: limits hold, and nothing is left behind however we end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rtl_evolve.rtl.errors import ToolMissing
from rtl_evolve.rtl.process import Limits, find_tool, run, start, workspace

PYTHON = sys.executable


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_within(seconds: float, check) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.02)
    return False


def test_output_status_and_paste():
    with workspace() as folder:
        done = run([PYTHON, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"], folder)
    assert (done.status, done.stdout, done.stderr, done.ok) == (3, "out\n", "err\n", False)
    assert done.paste().startswith(PYTHON + " -c 'import sys;")
    assert not folder.exists()


def test_stdin_and_private_temp_folder():
    with workspace() as folder:
        done = run(
            [PYTHON, "-c", "import tempfile, sys; print(tempfile.gettempdir(), sys.stdin.read())"],
            folder,
            stdin="hello",
        )
        assert done.stdout == f"{folder} hello\n"


def test_time_limit_kills_the_whole_group():
    script = (
        "import subprocess, sys, time; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); time.sleep(60)"
    )
    with workspace() as folder:
        done = run([PYTHON, "-c", script], folder, Limits(seconds=0.5))
        assert done.timed_out and not done.ok
        assert gone_within(2, lambda: not alive(int(done.stdout)))


def test_children_that_outlive_the_program_are_killed():
    script = "import subprocess; p = subprocess.Popen(['sleep', '60']); print(p.pid)"
    with workspace() as folder:
        done = run([PYTHON, "-c", script], folder)
        assert done.ok
        assert gone_within(2, lambda: not alive(int(done.stdout)))


def test_memory_limit():
    with workspace() as folder:
        done = run(
            [PYTHON, "-c", "import time; time.sleep(0.2); x = bytearray(1 << 30)"], folder, Limits(memory_mb=512)
        )
    assert not done.ok and "MemoryError" in done.stderr


def test_file_limit():
    script = "import time; time.sleep(0.2); open('big', 'wb').write(b'x' * (3 << 20))"
    with workspace() as folder:
        done = run([PYTHON, "-c", script], folder, Limits(file_mb=1))
        assert not done.ok
        assert (folder / "big").stat().st_size <= 1 << 20


def test_running_can_be_polled_and_killed():
    with workspace() as folder:
        running = start(["sleep", "60"], folder)
        assert running.poll() is None
        done = running.kill()
        assert done.status == -signal.SIGKILL and running.poll() is done


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_stays_after_we_are_killed(sign):
    script = (
        "from rtl_evolve.rtl.process import start, workspace\n"
        "import time\n"
        "with workspace() as folder:\n"
        "    running = start(['sleep', '60'], folder)\n"
        "    print(folder, running._process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    ours = subprocess.Popen([PYTHON, "-c", script], stdout=subprocess.PIPE, text=True)
    assert ours.stdout is not None
    folder, pid = ours.stdout.readline().split()
    os.kill(ours.pid, sign)
    ours.wait()
    ours.stdout.close()
    assert gone_within(5, lambda: not Path(folder).exists() and not alive(int(pid)))


def test_missing_programs_say_how_to_install():
    with pytest.raises(ToolMissing, match="install"):
        find_tool("no-such-program-here")
    with workspace() as folder, pytest.raises(ToolMissing, match="cannot start"):
        run(["no-such-program-here"], folder)
