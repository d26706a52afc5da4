"""Calls of the official Python client, one JSON line each: what it was, and how it went."""

import json
import sys
from uuid import uuid4

from esdbclient import EventStoreDBClient, NewEvent, StreamState

client = EventStoreDBClient(uri=sys.argv[1])


def event(number: int) -> NewEvent:
    return NewEvent(type="Counted", data=json.dumps({"number": number}).encode())


def numbers(events) -> list:
    return [json.loads(recorded.data)["number"] for recorded in events]


def call(name: str, run) -> None:
    try:
        outcome = run()
    except Exception as error:
        outcome = type(error).__name__
    print(json.dumps({"call": name, "outcome": outcome}), flush=True)


stream = f"python-{uuid4()}"
group = f"group-{uuid4()}"
prefix = f"{stream}.*"


def append(events, version, to=stream) -> int:
    """A single event goes by Append, a list by BatchAppend."""
    return client.append_to_stream(to, current_version=version, events=events) > 0


def take(subscription, count: int) -> list:
    with subscription as events:
        taken = [next(events) for _ in range(count)]
    return numbers(taken)


def follow() -> list:
    subscription = client.subscribe_to_stream(stream, stream_position=2)
    append([event(4)], 3)
    return take(subscription, 2)


def consume() -> list:
    client.create_subscription_to_stream(group, stream, from_end=False)
    subscription = client.read_subscription_to_stream(group, stream)
    taken = []
    for recorded in subscription:
        taken.append(recorded)
        subscription.ack(recorded)
        if len(taken) == 5:
            subscription.stop()
            break
    return numbers(taken)


def manage() -> list:
    info = client.get_subscription_info(group, stream)
    listed = [one.group_name == group for one in client.list_subscriptions_to_stream(stream)]
    client.delete_subscription(group, stream)
    return [info.event_source == stream, *listed]


def describe() -> list:
    client.set_stream_metadata(stream, metadata={"$maxCount": 2})
    metadata, version = client.get_stream_metadata(stream)
    return [metadata, version, numbers(client.get_stream(stream))]


def remove() -> str:
    client.delete_stream(stream, current_version=4)
    return str(client.get_current_version(stream))


def bury() -> None:
    client.tombstone_stream(stream, current_version=StreamState.ANY)
    client.get_stream(stream)


call("append one event", lambda: append(event(0), StreamState.NO_STREAM))
call("append several", lambda: append([event(1), event(2)], 0))
call("append at another revision", lambda: append([event(9)], 0))
call("append by its older name", lambda: client.append_events(stream, current_version=2, events=[event(3)]) > 0)
call("read a stream", lambda: numbers(client.get_stream(stream)))
call("read backwards", lambda: numbers(client.get_stream(stream, backwards=True, limit=2)))
call("read a missing stream", lambda: numbers(client.get_stream(f"none-{uuid4()}")))
call("current revision", lambda: client.get_current_version(stream))
call("head of the log", lambda: client.get_commit_position() > 0)
call("read the log", lambda: numbers(client.read_all(filter_include=[prefix], filter_by_stream_name=True)))
call("follow a stream", follow)
call(
    "follow the log",
    lambda: take(client.subscribe_to_all(filter_include=[prefix], filter_by_stream_name=True), 5),
)
call("consume", consume)
call("manage a subscription", manage)
call("metadata", describe)
call("delete", remove)
call("tombstone", bury)
call("gossip", lambda: [member.state for member in client.read_gossip()])
client.close()
