"""Instances with rows of every kind, for the tests of who may see what."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Import
from instances.actor import Actor
from instances.models import (
    Agent,
    AllowedAddress,
    ApiKey,
    Instance,
    Membership,
    MembershipInvitation,
    OAuthClient,
    User,
    Webhook,
)
from instances.oauth.connections import connect
from memoryapp.documents.writing import NewDocument, put
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import (
    Answer,
    Contradiction,
    EmbeddingJob,
    Erasure,
    GoldenQuestion,
    GoldenRound,
    LegalHold,
    Origin,
    ProposedDeletion,
    Relation,
    Run,
    SavedFilter,
    WebhookDelivery,
)
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.policy.minhash import SIZE
from tests.palace_factories import file_note, file_turn

#: Words that occur only in the rows of `create_rows`.
SECRETS = ("heliotrope", "Zanzibar", "quokka", "Wolpertinger", "ocarina", "marzipan", "Xanthippe")


def create_rows(instance: Instance, author: User) -> dict[str, Any]:
    """Create one row of each kind in *instance*; return the parts of its URLs."""
    conversation = Conversation.objects.create(
        instance=instance, title="On the quokka", origin=ConversationOrigin.CHAT
    )
    message = append(conversation, [NewMessage("user", "I play the ocarina.", author="Xanthippe")])
    run = Run.objects.create(instance=instance, conversation=conversation, state="failed")
    writer = Writer(Origin.MANUAL, Actor(author, "test"))
    candidate = Candidate(
        "The user went to Zanzibar.",
        conversation_id=conversation.pk,
        message_id=message.added[0].pk,
        end_user="Wolpertinger",
    )
    (outcome,) = remember(instance, [candidate], writer)
    answer = Answer.objects.create(
        instance=instance,
        conversation=conversation,
        message=message.added[0],
        state=Answer.State.FAILED,
        error="The marzipan is burnt.",
    )
    ProposedDeletion.objects.propose(answer, [outcome.memory])
    revise(outcome.memory, Changes("The user lives in Zanzibar.", "fact", 7), by=Actor(author))
    revision = outcome.memory.revisions.get()
    rule = instance.suppression_rules.create(
        memory_id=7, end_user="Wolpertinger", words=b"w" * SIZE, by=author, via="screen"
    )
    refused = instance.refused.create(
        conversation=conversation,
        message=message.added[0],
        content="The Wolpertinger sings.",
        reason="name",
    )
    held = instance.held.create(
        conversation=conversation,
        message=message.added[0],
        content="The Wolpertinger obeys.",
        tier=1,
        reason="instruction",
        digest="d",
    )
    (contradicting,) = remember(
        instance, [Candidate("The Wolpertinger is mute.")], Writer(Origin.MANUAL, Actor())
    )
    Contradiction.objects.note(outcome.memory, [contradicting.memory.pk])
    document = put(
        instance,
        NewDocument(("quokkas",), "wolpertinger", {"text": "The marzipan is in Zanzibar."}),
        by=Actor(author),
    ).document
    saved = SavedFilter.objects.create(
        instance=instance, user=author, name="Wolpertinger", query="category=fact"
    )
    import_ = Import.objects.create(instance=instance, by=author, filename="marzipan.jsonl")
    agent = Agent.objects.create(instance=instance, slug="heliotrope-agent", name="Heliotrope 2")
    api_key = ApiKey(instance=instance, name="For the heliotrope", scopes=["read"])
    api_key.make_secret()
    api_key.save()
    webhook = Webhook(
        instance=instance, url="http://127.0.0.1:9/marzipan", events=["memory.learned"]
    )
    webhook.make_secret()
    webhook.save()
    delivery = WebhookDelivery.objects.create(
        instance=webhook.instance, webhook=webhook, event="webhook.test"
    )
    app = OAuthClient.objects.create(
        name="The marzipan oven",
        client_type="public",
        authorization_grant_type="authorization-code",
    )
    connection = connect(app, author, instance, ["read"])
    membership = Membership.objects.get_or_create(instance=instance, user=author)[0]
    invitation = MembershipInvitation.objects.create(
        instance=instance, username=author.username, user=author
    )
    drawer = file_turn(message.added[0], "The Wolpertinger", "ocarina", people=["Xanthippe"])
    breaker = instance.circuit_breakers.create(
        server="https://api.example.com:443", said="The marzipan!", retry_at=timezone.now()
    )
    job = EmbeddingJob.objects.create(instance=instance, kind="fill_in", error="The marzipan!")
    said = StatementIn(NamedEntity("Xanthippe"), "plays", NamedEntity("Ocarina"), timezone.now())
    ingest(instance, "Wolpertinger", [replace(said, memory_id=outcome.memory.pk)])
    relation = Relation.objects.get(instance=instance)
    # Lifted: an active one would keep the instance.
    hold = LegalHold.objects.create(
        instance=instance,
        name="Heliotrope case",
        scope=LegalHold.Scope.INSTANCE,
        set_by_name="Heliotrope",
        lifted_at=timezone.now(),
    )
    golden = GoldenQuestion.objects.create(
        instance=instance, text="Where is the Heliotrope?", memories=[outcome.memory.pk]
    )
    round_ = GoldenRound.objects.create(
        instance=instance, cause=GoldenRound.Cause.BY_HAND, finished_at=timezone.now()
    )
    erasure = Erasure.objects.create(
        instance=instance, state=Erasure.State.DONE, asked_by="marzipan", certificate={"tables": []}
    )
    session = UserSession.objects.create(
        user=author, ip="192.0.2.1", session_key="any", user_agent="Firefox"
    )
    passkey = Authenticator.objects.create(
        user=author, type=Authenticator.Type.WEBAUTHN, data={"name": "Blue key"}
    )
    return {
        "instance": instance.slug,
        "memory": outcome.memory.pk,
        "revision": revision.pk,
        "filter": saved.pk,
        "document": document.pk,
        "document_namespace": "quokkas",
        "document_key": document.key,
        "rule": rule.pk,
        "contradicting": contradicting.memory.pk,
        "refused": refused.pk,
        "erasure": erasure.pk,
        "hold": hold.pk,
        "shared": instance.memories.create(content="All sail.", shared_by="Wolpertinger").pk,
        "group": create_group(
            instance, "Wolpertinger", GroupMembers(["Wolpertinger"]), by=Actor(via="test")
        ).pk,
        "retention_rule": instance.retention_rules.create(kept="usage", days=365).pk,
        "kept": "activity",
        "days": 365,
        "golden": golden.pk,
        "round": round_.pk,
        "erasure_uid": erasure.uid,
        "end_user": "Wolpertinger",
        "held": held.pk,
        "other": "Wolpertinger-2",
        "entity": relation.subject_id,
        "relation": relation.pk,
        "format": "csv",
        "bulk_action": "tags",
        "batch": uuid4(),
        "conversation": conversation.pk,
        "message": message.added[0].pk,
        "drawer": drawer.pk,
        "note": file_note(instance, "The quokka sleeps.", "The Wolpertinger").pk,
        "pointer": "W-1/R-1/D-1",
        "wing": drawer.closet.room.wing_id,
        "topic": drawer.closet_id,
        "run": run.pk,
        "answer": answer.pk,
        "keep": "keep",
        "api_key": api_key.pk,
        "webhook": webhook.pk,
        "delivery": delivery.pk,
        "allowed": AllowedAddress.objects.get_or_create(address="10.0.0.5")[0].pk,
        "import": import_.pk,
        "agent": agent.pk,
        "membership": membership.pk,
        "invitation": invitation.pk,
        "card": "memory",
        "what": "chat",
        "job": job.pk,
        "work": "try-now",
        "remedy": "runs",
        "session": session.pk,
        "connection": connection.pk,
        "pk": passkey.pk,
        "breaker": breaker.pk,
        "person": author.pk,
        "name": "any-model",
        "change": "appoint",
        "object_id": outcome.memory.pk,
    }


@pytest.fixture
def shared(instance: Instance, alice: User) -> dict[str, Any]:
    """Parts of the URLs of Alice's shared instance, with a row of every kind."""
    instance.slug, instance.name = "heliotrope", "Heliotrope"
    instance.save()
    return create_rows(instance, alice)


@pytest.fixture
def secluded(private: Instance, alice: User) -> dict[str, Any]:
    """Parts of the URLs of Alice's private instance, with a row of every kind."""
    private.slug, private.name = "heliotrope", "Heliotrope"
    private.save()
    return create_rows(private, alice)
