"""Gives each request of schemathesis the administrator's token, which lives five minutes."""
import json
import os

import requests
import schemathesis

url = os.environ["SEPTET"]
with open(os.environ["CREDENTIAL"], encoding="utf-8") as file:
    credential = json.load(file)


@schemathesis.auth(refresh_interval=120)
class AdministratorToken:
    def get(self, case, context):
        answer = requests.post(
            f"{url}/oauth/token",
            auth=(credential["clientId"], credential["clientSecret"]),
            data={"grant_type": "client_credentials"},
            timeout=30,
        )
        answer.raise_for_status()
        return answer.json()["access_token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
