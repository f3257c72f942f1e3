"""The providers, one family a file.

A file offers `MODEL`, a `Provider` whose name is what a profile says as its `provider`; `litellm` takes every name that
no other file has. To add a family, write one file here: `tests/contracts/test_model.py` finds it. Files whose names
begin with an underscore are what several families share: `_shape` (which turns a provider takes), `_wire` and
`_responses_wire` (request to JSON), `_reader`, `_sse`, `_stream` and `_responses_stream` (bytes to answer),
`_transport` (the only one that touches the network).
"""
