"""The gates, one file each; `bot/gates.py` puts them in order by what each says of its neighbours."""
