# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium: prints our pages as PDF, and lets the tests look at them as a reader's browser does.

It is spoken to in the DevTools protocol over two pipes (--remote-debugging-pipe): JSON messages that end with a zero
byte, commands on its descriptor 3, answers and events on its descriptor 4. So nothing listens on a port, and Python
needs no package for it.

    with Chromium(find()) as browser:
        page = browser.page(width=390)
        page.open("file:///...")
        pdf = page.pdf("A4")
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# The first release with page margin boxes, which hold page numbers and running heads:
# https://developer.chrome.com/release-notes/131
OLDEST = 131

# Width and height in inches: ISO 216, ANSI/ASME Y14.1; slides as programs for presentations have them.
PAPERS = {"A4": (210 / 25.4, 297 / 25.4), "Letter": (8.5, 11), "16x9": (40 / 3, 7.5)}


class Fault(Exception):
    """The browser is missing, does not start, does not answer, or a page's script failed."""


def find():
    """The program's path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    """One browser process with a profile of its own, which goes with it. It has minutes for an answer: two cores may be busy."""

    SECONDS = 180

    def __init__(self, program):
        if not program:
            raise Fault("there is no Chromium (looked for " + ", ".join(NAMES) + ")")
        self._program = program
        self._number = 0
        self._answers, self._events, self._rest = {}, [], b""

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        # In a group of its own, so that its helpers end with it.
        self._process = subprocess.Popen(
            [self._program, "--headless", "--remote-debugging-pipe", "--user-data-dir=" + self._profile.name,
             *_SWITCHES, "about:blank"],
            preexec_fn=lambda: _as_3_and_4(to_browser, from_browser), close_fds=False, process_group=0,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        try:
            product = self.call("Browser.getVersion")["product"]
            if int(product.split("/")[1].split(".")[0]) < OLDEST:
                raise Fault(f"{product} is too old; {OLDEST} is the first that numbers pages")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def page(self, width=1280, height=900, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, width, height, dark)

    def call(self, method, session=None, **parameters):
        """Sends a command and waits for its answer."""
        return self.wait(self.send(method, session, **parameters))

    def send(self, method, session=None, **parameters):
        """Sends a command; `wait` has its answer, so that several pages can work at the same time."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._to, data):]
        except BrokenPipeError:
            raise Fault(self._program + " has ended") from None
        return self._number

    def wait(self, number):
        self._read_until(lambda: number in self._answers, "an answer")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise Fault(answer["error"]["message"])
        return answer["result"]

    def wait_for(self, session, event):
        """Waits for an event of a page, and forgets it."""
        def there():
            return next((each for each in self._events
                         if each["method"] == event and each.get("sessionId") == session), None)
        self._read_until(there, event)
        self._events.remove(there())

    def forget_events(self, session):
        self._events = [each for each in self._events if each.get("sessionId") != session]

    def events(self, session, event):
        return [each["params"] for each in self._events if each["method"] == event and each.get("sessionId") == session]

    def _read_until(self, condition, what):
        end = time.monotonic() + self.SECONDS
        while not condition():
            if not select.select([self._from], [], [], max(end - time.monotonic(), 0))[0]:
                raise Fault(f"{self._program} gave no {what} within {self.SECONDS} s")
            data = os.read(self._from, 1 << 20)
            if not data:
                raise Fault(self._program + " ended without an answer; "
                            "start it by hand with --headless to see why")
            *messages, self._rest = (self._rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self._answers[message["id"]] = message
                else:
                    self._events.append(message)


# Root has no user namespace to sandbox pages in; ours are the only ones it opens.
_SWITCHES = ["--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-sync",
             "--disable-background-networking", "--disable-component-update", "--font-render-hinting=none",
             *(["--no-sandbox"] if os.geteuid() == 0 else [])]


def _as_3_and_4(reads, writes):
    """In the child: `reads` becomes descriptor 3 and `writes` 4, whichever numbers they have now."""
    reads, writes = os.dup(reads), os.dup(writes)
    spare = [os.dup(reads), os.dup(writes)]
    while min(spare) <= 4:
        spare = [os.dup(each) for each in spare]
    os.dup2(spare[0], 3)
    os.dup2(spare[1], 4)
    os.closerange(5, 1024)


class Page:
    """One tab."""

    def __init__(self, browser, target, session, width, height, dark):
        self._browser, self._target, self._session = browser, target, session
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.look(width, height, dark)

    def look(self, width, height=900, dark=False):
        """As a screen of this size, bright or dark; a narrow one is a phone's, with two pixels for each."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if width < 600 else 1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def open(self, url):
        self._browser.forget_events(self._session)
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise Fault(f"{url}: {answer['errorText']}")
        if "loaderId" in answer:
            self._browser.wait_for(self._session, "Page.loadEventFired")
        else:  # Only the part behind # was another one: nothing was loaded, and the page hears of it a moment later.
            self.evaluate("new Promise((done) => setTimeout(done, 20))")

    def evaluate(self, script):
        """The value of an expression, or of the promise that it is."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Fault(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def complaints(self):
        """What the browser wrote into its console since the page was opened: errors, refusals."""
        self.evaluate("0")  # Messages come in order: what was said before this answer has been read with it.
        entries = [each["entry"]["text"] for each in self._browser.events(self._session, "Log.entryAdded")]
        return entries + [each["exceptionDetails"].get("exception", {}).get("description", "an exception")
                          for each in self._browser.events(self._session, "Runtime.exceptionThrown")]

    def start_pdf(self, paper):
        """Prints, tagged and with an outline; `finish_pdf` has the bytes."""
        width, height = PAPERS[paper]
        return self._browser.send("Page.printToPDF", self._session, paperWidth=width, paperHeight=height,
                                  printBackground=True, generateTaggedPDF=True, generateDocumentOutline=True)

    def finish_pdf(self, number):
        return base64.b64decode(self._browser.wait(number)["data"])

    def pdf(self, paper):
        return self.finish_pdf(self.start_pdf(paper))

    def screenshot(self, beyond=True):
        """All of the page, or what the screen shows of it, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=beyond)["data"])

    def close(self):
        self._browser.call("Target.closeTarget", targetId=self._target)
