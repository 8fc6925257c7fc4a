"""Web servers of tests, in the process that runs them."""

import http.server
import threading


class Quiet(http.server.BaseHTTPRequestHandler):
    """Prints nothing of what it is asked."""

    def log_message(self, *_):
        pass


class WebServer(http.server.ThreadingHTTPServer):
    """Runs from when it is made until it is closed, on a port of its own; `with` closes it."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, handler, host="127.0.0.1"):
        super().__init__((host, 0), handler)
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # clients that leave in the middle are what some tests are about

    def close(self):
        self.shutdown()
        self.server_close()

    def __exit__(self, *_):
        self.close()
