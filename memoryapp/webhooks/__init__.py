"""Events for the programs of an instance, posted to their addresses.

::

    signature      the headers that prove where a request comes from            pure
    retries        when a failed attempt is repeated                            pure
    payload        what is sent about an event: read when it is sent
    registration   webhooks are added, changed and removed
    delivery       one attempt, and all that a webhook has to be sent

The triggers that write the events are in `memoryapp.models.webhook_deliveries`.
"""
