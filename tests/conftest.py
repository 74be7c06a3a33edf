"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

# A busy machine is no bug: examples have no deadline, and the same ones are tried every time.
settings.register_profile(
    "sitewright", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sitewright")
