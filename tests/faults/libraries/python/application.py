"""What both programs share: the settings from the test, an address, and answers that the test reads."""
import json
import logging
import os

from flask import Flask
from werkzeug.serving import make_server

given = json.loads(os.environ["APPLICATION"])
issuer, client_id, client_secret, settings = (given[name] for name in ("issuer", "clientId", "clientSecret", "settings"))

logging.getLogger("werkzeug").setLevel(logging.ERROR)
# Plain http needs a word of its own; it stands for no setting of Septet.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

app = Flask(__name__)
app.secret_key = "a secret of this program alone"


@app.errorhandler(Exception)
def failed(error):
    return {"error": getattr(error, "description", None) or str(error)}, 500


def serve():
    server = make_server("127.0.0.1", 0, app)
    print(f"listening {server.port}", flush=True)
    server.serve_forever()
