"""A throw-away authority and what it signs, with openssl."""

import subprocess

from .keeper import Broken

SERVER_NAMES = "IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc"


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"openssl {arguments[0]}: {done.stderr}")


def make_authority(folder, name="ca", subject="/CN=test authority"):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
            f"{name}.crt", "-days", "3", "-subj", subject)


def sign(folder, name, subject, names=None):
    """NAME.key and NAME.crt: of a server with these alternative names, or of a client."""
    extension = f"subjectAltName={names}" if names else "extendedKeyUsage=clientAuth"
    (folder / f"{name}.ext").write_text(extension)
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
            f"{name}.csr", "-subj", subject)
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "3",
            "-out", f"{name}.crt", "-extfile", f"{name}.ext")


def make_all(folder):
    folder.mkdir()
    make_authority(folder)
    make_authority(folder, "other-ca", "/CN=another authority")
    openssl(folder, "genrsa", "-out", "sa.key", "2048")
    openssl(folder, "rsa", "-in", "sa.key", "-pubout", "-out", "sa.pub")
    sign(folder, "apiserver", "/CN=kube-apiserver", SERVER_NAMES)
    sign(folder, "admin", "/O=system:masters/CN=admin")
    sign(folder, "front", "/CN=front-proxy")
    for engine, names in (
            ("kueue", "DNS:localhost,DNS:kueue-webhook-service.kueue-system.svc,DNS:kueue-visibility-server.kueue-system.svc"),
            ("keda", "DNS:localhost,DNS:keda-operator.keda.svc,DNS:keda-metrics-apiserver.keda.svc,"
                     "DNS:keda-admission-webhooks.keda.svc")):
        (folder / engine).mkdir()
        sign(folder, f"{engine}/tls", f"/CN={engine}", names)
        (folder / engine / "ca.crt").write_bytes((folder / "ca.crt").read_bytes())
