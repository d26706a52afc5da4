"""Authlib's client for Flask, as its documentation does it."""
from application import app, client_id, client_secret, issuer, serve, settings
from authlib.integrations.flask_client import OAuth
from flask import url_for

oauth = OAuth(app)
oauth.register(
    "septet",
    client_id=client_id,
    client_secret=client_secret,
    server_metadata_url=f"{issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile offline_access", **settings.get("client_kwargs", {})},
)


@app.route("/login")
def login():
    return oauth.septet.authorize_redirect(url_for("callback", _external=True))


@app.route("/callback")
def callback():
    token = oauth.septet.authorize_access_token()
    userinfo = oauth.septet.userinfo(token=token)
    refreshed = oauth.septet.fetch_access_token(grant_type="refresh_token", refresh_token=token["refresh_token"])
    return {
        "idToken": token["userinfo"]["sub"],
        "userinfo": userinfo["sub"],
        "refreshed": "access_token" in refreshed,
    }


serve()
