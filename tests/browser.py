"""A headless Chromium, spoken to over two pipes in the words of the DevTools protocol (a JSON object, a zero byte), so
that nothing but the browser itself is needed.

    with Browser() as browser:
        page = browser.open("/tmp/x.html", 1280, 800)
        page.value("document.title")
        page.mouse(100, 200)
"""
import base64, fcntl, json, os, select, shutil, signal, tempfile, time


def find():
    return next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="tmemc-browser-")
        pipes = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for pair in (os.pipe(), os.pipe()) for fd in pair]
        their_in, self.out, self.into, their_out = pipes
        words = [find(), "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                 "--disable-background-networking", "--disable-dev-shm-usage", "--force-color-profile=srgb",
                 "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"]
        if os.getuid() == 0:
            words.insert(1, "--no-sandbox")
        nothing = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        self.child = os.posix_spawn(words[0], words, os.environ, setsid=True, file_actions=[
            (os.POSIX_SPAWN_DUP2, their_in, 3), (os.POSIX_SPAWN_DUP2, their_out, 4), *nothing])
        os.close(their_in)
        os.close(their_out)
        self.number, self.buffer, self.events, self.page = 0, b"", [], None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.child, 0)
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self, until):
        """The next message, or None when none comes in time."""
        while b"\0" not in self.buffer:
            if not select.select([self.into], [], [], max(until - time.monotonic(), 0))[0]:
                return None
            more = os.read(self.into, 1 << 20)
            assert more, "the browser has ended"
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def say(self, method, session=None, seconds=30, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.out, text):]
        until = time.monotonic() + seconds
        while (answer := self.read(until)) is not None:
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)
        raise AssertionError(f"the browser did not answer {method} in {seconds} s")

    def open(self, path, width, height, dark=False, touch=False):
        """A page of its own; the one before is closed."""
        if self.page:
            self.say("Target.closeTarget", targetId=self.page.target)
        self.page = page = Page(self, self.say("Target.createTarget", url="about:blank")["targetId"])
        page.set_up(width, height, dark, touch)
        page.go(path)
        return page


class Page:
    def __init__(self, browser, target):
        self.browser, self.target = browser, target
        self.session = browser.say("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def say(self, method, **parameters):
        return self.browser.say(method, self.session, **parameters)

    def set_up(self, width, height, dark, touch):
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.say(domain + ".enable")
        self.resize(width, height, touch)
        self.say("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.say("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.say("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def resize(self, width, height, touch=False):
        self.say("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)

    def go(self, path):
        self.say("Page.navigate", url="file://" + os.path.abspath(path))
        until = time.monotonic() + 30
        while not self.value("location.protocol === 'file:' && document.readyState === 'complete'"):
            assert time.monotonic() < until, f"{path} does not load"
            time.sleep(0.02)
        self.settle()

    def value(self, expression):
        answer = self.say("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (expression, answer["exceptionDetails"])
        return answer["result"].get("value")

    def settle(self):
        """Until what was to be drawn has been drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def mouse(self, x, y, click=False):
        self.say("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.say("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, x, y):
        self.say("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.say("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name, **more):
        text = {"text": name} if len(name) == 1 else {"text": "\r"} if name == "Enter" else {}
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Enter": 13, "Home": 36, "End": 35}
        self.say("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=codes.get(name, 0), **text, **more)
        self.say("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=codes.get(name, 0), **more)

    def complaints(self):
        """What the console holds of errors, what was thrown, and what was asked of the network."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, said = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(said["exceptionDetails"].get("exception", {}).get("description", str(said)))
            if method == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert", "warning"):
                found.append(str(said["args"]))
            if method == "Log.entryAdded" and said["entry"]["level"] == "error":
                found.append(said["entry"]["text"])
            if method == "Network.requestWillBeSent" and not said["request"]["url"].startswith(("file:", "data:", "about:")):
                found.append("asks for " + said["request"]["url"])
        return found

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.say("Page.captureScreenshot", format="png")["data"]))
