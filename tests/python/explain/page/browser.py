"""Runs the page's JavaScript: modules in node, the whole page in headless Chromium."""

import json
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from running import ended

TIMEOUT_S = 300

ASKING = """
const answers = {};
try {
    while (!globalThis.weir?.timeline.rows) await new Promise((done) => setTimeout(done, 5));
    const { timeline, view, store, tooltip, longest } = globalThis.weir;
    // Frames come when they like; this is drawn when it returns.
    const drawn = async () => {
        timeline.draw();
        while (timeline.shows === "loading") {
            await timeline.arriving;
            timeline.draw();
        }
    };
    const questions = { QUESTIONS };
    for (const [name, ask] of Object.entries(questions)) {
        view.whole();
        answers[name] = await ask().catch((error) => ({ error: String(error.stack) }));
    }
} finally {
    await fetch("/answers", { method: "POST", body: JSON.stringify(answers) });
}
"""


def in_node(modules: list[str], script: str) -> Any:
    """What `script` leaves in `answer`, with what these modules of assets/ export at hand."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript with")
    folder = Path(str(resources.files("weir.explain.page").joinpath("assets")))
    urls = json.dumps([(folder / name).as_uri() for name in modules])
    program = f"""
        const loaded = await Promise.all({urls}.map((one) => import(one)));
        Object.assign(globalThis, ...loaded);
        let answer = null;
        {script}
        console.log(JSON.stringify(answer));
    """
    done = ended(node, "--input-type=module", "--no-warnings", input=program, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def chromium(folder: Path) -> list[str]:
    """The command that starts one, with its own files in a folder; skips the test where none starts."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip("there is no Chromium to open the page with")
    options = ("headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage")
    options += ("disable-background-networking", "no-first-run", f"user-data-dir={folder}")
    command = [found, *(f"--{option}" for option in options)]
    tried = subprocess.run(
        [*command, "--dump-dom", "about:blank"], capture_output=True, timeout=TIMEOUT_S, check=False
    )
    if b"<html>" not in tried.stdout:
        pytest.skip(f"{found} does not start here")
    return command


def asked(page: Path, questions: dict[str, str], fragment: str = "") -> dict[str, Any]:
    """What these asynchronous scripts return in the page, by name; each begins with the whole run in view."""
    script = ",".join(f"{json.dumps(name)}: async () => {{ {text} }}" for name, text in questions.items())
    body = page.read_text(encoding="utf-8").replace(
        "</body>", f'<script type="module">{ASKING.replace("QUESTIONS", script)}</script></body>'
    )
    server = _Server(body.encode())
    command = [
        *chromium(page.parent / "profile"),
        "--window-size=1400,1400",
        "--remote-debugging-port=0",  # else it ends when the page is loaded
        f"http://127.0.0.1:{server.server_port}/{fragment}",
    ]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert server.answered.wait(TIMEOUT_S), "the page does not answer"
    finally:
        browser.terminate()
        browser.wait()
        server.shutdown()
        server.server_close()
    for name, answer in server.answers.items():
        assert not (isinstance(answer, dict) and "error" in answer), f"{name}: {answer['error']}"
    assert server.answers.keys() == questions.keys()
    return server.answers


class _Server(ThreadingHTTPServer):
    """Gives the page, and takes its answers. Browsers open connections that they never use."""

    daemon_threads = True

    def __init__(self, page: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.page = page
        self.answers: dict[str, Any] = {}
        self.answered = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._reply(self.server.page if self.path == "/" else b"")

    def do_POST(self) -> None:
        self.server.answers = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._reply(b"")
        self.server.answered.set()

    def _reply(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
