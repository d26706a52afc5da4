"""requests-oauthlib's web application flow, as its documentation does it. It knows OAuth alone: who signed in is asked at userinfo."""
import requests
from application import app, client_id, client_secret, issuer, serve, settings
from flask import redirect, request, session, url_for
from requests_oauthlib import OAuth2Session

discovered = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=30).json()
scope = settings.get("scope", ["openid", "email", "profile", "offline_access"])
flows = {}


@app.route("/login")
def login():
    septet = OAuth2Session(
        client_id, scope=scope, redirect_uri=url_for("callback", _external=True), **settings.get("session", {})
    )
    location, state = septet.authorization_url(discovered["authorization_endpoint"], **settings.get("authorization", {}))
    flows[state] = septet
    session["state"] = state
    return redirect(location)


@app.route("/callback")
def callback():
    septet = flows[session["state"]]
    septet.fetch_token(
        discovered["token_endpoint"], client_secret=client_secret, authorization_response=request.url
    )
    userinfo = septet.get(discovered["userinfo_endpoint"]).json()
    refreshed = septet.refresh_token(discovered["token_endpoint"], auth=(client_id, client_secret))
    return {"userinfo": userinfo["sub"], "refreshed": "access_token" in refreshed}


serve()
