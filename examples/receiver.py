#!/usr/bin/env python3
"""A receiver of webhooks: SECRET=whsec_... python3 receiver.py PORT LEDGER

Verifies each signature and writes each delivery once into a ledger (SQLite), before it answers.
"""
import hashlib, hmac, os, sqlite3, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET, PORT, LEDGER = os.environ["SECRET"].encode(), int(sys.argv[1]), sys.argv[2]
ThreadingHTTPServer.request_queue_size = 128


def ledger(statement, *values):
    with sqlite3.connect(LEDGER, timeout=8) as db:
        db.execute(statement, values)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        given = [self.headers.get(name, "") for name in ("X-Service-Signature", "X-Service-Signature-Next")]
        genuine = any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)
        if genuine:
            # The same delivery may come again, always with the same body: one that came with another would be a second row.
            row = (self.headers["X-Service-Delivery"], self.headers["X-Service-Event"], body.decode())
            ledger("insert or ignore into deliveries values (?, ?, ?)", *row)
        self.send_response(200 if genuine else 401)
        self.end_headers()


ledger("create table if not exists deliveries (id, event, body, primary key (id, body))")
ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
