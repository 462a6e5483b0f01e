"""Asks an engine over HTTP whether it is there."""

import http.client
import ssl
import urllib.error
import urllib.request


def answer(url, data=None, context=None, timeout=2, method=None, headers=None):
    """(status, body); (0, reason) when nobody answered. Never through a proxy."""
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    handlers = [urllib.request.ProxyHandler({})]
    if context is not None:
        handlers.append(urllib.request.HTTPSHandler(context=context))
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=timeout) as got:
            return got.status, got.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()
    except (OSError, http.client.HTTPException, urllib.error.URLError) as problem:
        return 0, str(problem).encode()


def answers(url, context=None):
    return lambda: answer(url, context=context)[0] == 200


def trusting(authority, certificate=None, key=None):
    context = ssl.create_default_context(cafile=authority)
    if certificate:
        context.load_cert_chain(certificate, key)
    return context
