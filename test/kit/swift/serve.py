"""OpenStack Swift with its S3 interface, whole, in one process: one disk, one replica.

Usage: serve.py FOLDER ACCESS_KEY SECRET REGION. FOLDER is empty and on a file system with user
extended attributes. Prints the port of 127.0.0.1 that it listens on, and serves until it is killed
or its standard input ends. A listing has five keys a page.
"""
import eventlet

eventlet.monkey_patch()

import array
import json
import os
import sys
from time import time as clock

# the stored data need not outlast the tests
os.fsync = os.fdatasync = lambda _: None

folder, access_key, secret, region = sys.argv[1:]
account, user = access_key.split(':')

from swift.common import utils

SWIFT_CONF = os.path.join(folder, 'swift.conf')
with open(SWIFT_CONF, 'w') as conf:
    conf.write('[swift-hash]\nswift_hash_path_suffix = tests\nswift_hash_path_prefix = tests\n')
utils.SWIFT_CONF_FILE = SWIFT_CONF
utils.validate_hash_conf()

from eventlet import wsgi
from swift.account.server import AccountController
from swift.common.ring import RingData
from swift.common.wsgi import SwiftHttpProtocol, loadapp
from swift.container.server import ContainerController
from swift.obj.server import ObjectController


class Silence:
    def write(self, text):
        pass


class Cache:
    """In place of memcached, which Swift asks before it asks its own servers again."""

    def __init__(self):
        self.kept = {}

    def get(self, key, *_, **__):
        text, until = self.kept.get(key, ('null', 0))
        return json.loads(text) if clock() < until else None

    def set(self, key, value, *_, time=0, **__):
        self.kept[key] = (json.dumps(value), clock() + (time or 3600))

    def delete(self, key, *_, **__):
        self.kept.pop(key, None)


def with_cache(app, cache=Cache()):
    def answer(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return answer


def serve(listener, app):
    eventlet.spawn(
        wsgi.server, listener, app, Silence(), protocol=SwiftHttpProtocol, log_output=False,
        keepalive=True, socket_timeout=60)


def listen():
    return eventlet.listen(('127.0.0.1', 0), backlog=256)


devices = os.path.join(folder, 'devices')
os.makedirs(os.path.join(devices, 'disk'))
storage = {
    'devices': devices,
    'swift_dir': folder,
    'mount_check': 'false',
    'bind_ip': '127.0.0.1',
    'fallocate_reserve': '0',
    'disable_fallocate': 'true',
    'log_level': 'ERROR',
    'log_address': os.path.join(folder, 'no-log'),
    'hash_path_suffix': 'tests',
}
for ring, controller in (
    ('account', AccountController),
    ('container', ContainerController),
    ('object', ObjectController),
):
    listener = listen()
    device = {
        'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': 'disk', 'ip': '127.0.0.1',
        'port': listener.getsockname()[1], 'replication_ip': '127.0.0.1',
        'replication_port': listener.getsockname()[1], 'meta': '',
    }
    # two partitions, all on the one disk
    RingData([array.array('H', [0, 0])], [device], 31).save(
        os.path.join(folder, ring + '.ring.gz'))
    serve(listener, controller(dict(storage, bind_port=listener.getsockname()[1])))

front = listen()
port = front.getsockname()[1]
proxy_conf = os.path.join(folder, 'proxy.conf')
with open(proxy_conf, 'w') as conf:
    conf.write(f'''[DEFAULT]
swift_dir = {folder}
bind_ip = 127.0.0.1
bind_port = {port}
log_level = ERROR
log_address = {folder}/no-log

[pipeline:main]
pipeline = catch_errors gatekeeper s3api tempauth slo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
node_timeout = 30
recoverable_node_timeout = 30

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:gatekeeper]
use = egg:swift#gatekeeper

[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = 5
location = {region}
storage_domain = localhost

[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin

[filter:slo]
use = egg:swift#slo
''')
serve(front, with_cache(loadapp(proxy_conf)))
print(port, flush=True)

# ends with the process that started it, in any case
while eventlet.tpool.execute(os.read, 0, 4096):
    pass
