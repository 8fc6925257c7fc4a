"""Web servers for tests, in the process of the test."""

import http.server
import threading


class Quiet(http.server.BaseHTTPRequestHandler):
    """Prints no log."""

    def log_message(self, *_):
        pass


class WebServer(http.server.ThreadingHTTPServer):
    """Runs on its own port until it is closed; `with` closes it."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, handler, host="127.0.0.1"):
        super().__init__((host, 0), handler)
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        # It looks so often whether it is to end.
        threading.Thread(target=self.serve_forever, args=[0.02], daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # some tests disconnect early

    def close(self):
        self.shutdown()
        self.server_close()

    def __exit__(self, *_):
        self.close()
