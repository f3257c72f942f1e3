"""The scheduler: what happens by the clock. APScheduler ticks; what is due is decided from the database."""
