"""Without asyncio; mostly written by unasync.py."""
