"""A real SAML identity provider (pysaml2): it accepts every address as signed in.

Usage: saml-provider.py PORT FOLDER, where FOLDER holds key.pem, cert.pem and sp.xml.
"""
import html
import shutil
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlparse

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORD
from saml2.config import IdPConfig
from saml2.metadata import create_metadata_string
from saml2.saml import NAMEID_FORMAT_EMAILADDRESS, NameID
from saml2.server import Server

port, folder = int(sys.argv[1]), sys.argv[2]
base = f"http://127.0.0.1:{port}"
config = IdPConfig().load(
    {
        "entityid": f"{base}/metadata",
        "xmlsec_binary": shutil.which("xmlsec1"),
        "key_file": f"{folder}/key.pem",
        "cert_file": f"{folder}/cert.pem",
        "metadata": {"local": [f"{folder}/sp.xml"]},
        "service": {
            "idp": {
                "name": "Test provider",
                "endpoints": {"single_sign_on_service": [(f"{base}/sso", BINDING_HTTP_REDIRECT)]},
                "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None}},
                "sign_assertion": True,
                "sign_response": False,
            }
        },
    }
)
provider = Server(config=config)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, body, kind="text/html"):
        content = body if isinstance(body, bytes) else body.encode()
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        at = urlparse(self.path)
        if at.path == "/metadata":
            return self.answer(create_metadata_string(None, config, sign=False), "text/xml")
        if at.path != "/sso":
            return self.answer("")
        asked = {name: values[0] for name, values in parse_qs(at.query).items()}
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(asked.get(name, ""))}">'
            for name in ("SAMLRequest", "RelayState")
        )
        self.answer(
            f'<form method="post" action="/sso">{fields}<label>Address <input name="email"></label>'
            "<button>Let me in</button></form>"
        )

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        given = {name: values[0] for name, values in parse_qs(body).items()}
        request = provider.parse_authn_request(given["SAMLRequest"], BINDING_HTTP_REDIRECT)
        answer = provider.response_args(request.message, [BINDING_HTTP_POST])
        response = provider.create_authn_response(
            {"mail": [given["email"]], "givenName": ["Alan"], "sn": ["Turing"]},
            userid=given["email"],
            name_id=NameID(format=NAMEID_FORMAT_EMAILADDRESS, text=given["email"]),
            authn={"class_ref": PASSWORD, "authn_auth": base},
            sign_assertion=True,
            sign_response=False,
            sign_alg="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            digest_alg="http://www.w3.org/2001/04/xmlenc#sha256",
            **{key: answer[key] for key in ("in_response_to", "destination", "sp_entity_id")},
        )
        page = provider.apply_binding(
            BINDING_HTTP_POST,
            str(response),
            answer["destination"],
            given.get("RelayState", ""),
            response=True,
        )
        self.answer(page["data"])


HTTPServer(("127.0.0.1", port), Handler).serve_forever()
