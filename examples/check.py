"""Adds a picture and finds it again, with Python's standard library alone.

    SOSIA_KEY=... python3 check.py add ID picture.jpg
    SOSIA_KEY=... python3 check.py find photo.jpg
"""

import json
import os
import sys
import urllib.request
import uuid

KEY = os.environ["SOSIA_KEY"]
MODIFY = os.environ.get("SOSIA_MODIFY_URL", "http://127.0.0.1:7789")
QUERY = os.environ.get("SOSIA_QUERY_URL", "http://127.0.0.1:8080")


def ask(address, picture, **fields):
    """Sends a form with one file; returns the answer, or ends with the message of the service."""
    boundary = uuid.uuid4().hex
    parts = b""
    for name, value in {"application_key": KEY, **fields}.items():
        parts += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    parts += f'--{boundary}\r\nContent-Disposition: form-data; name="image_content"; filename="p"\r\n\r\n'.encode()
    with open(picture, "rb") as file:
        parts += file.read() + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    with urllib.request.urlopen(urllib.request.Request(address, parts, headers)) as response:
        answer = json.load(response)
    if answer["status"]["code"] != 0:
        sys.exit(f"refused with {answer['status']['code']}: {answer['status']['message']}")
    return answer


if sys.argv[1] == "add":
    ask(f"{MODIFY}/api/v2.0/enginemodify/json/AddImage", sys.argv[3], image_id=sys.argv[2])
    print(f"added {sys.argv[2]}")
else:
    for image in ask(f"{QUERY}/api/v2.0/enginequery/json/SearchImageByUpload", sys.argv[2])["images"]:
        info = json.loads(image["result_info"] or "{}")
        print(image["id"], round(image["score"], 4), info.get("decision", ""))
