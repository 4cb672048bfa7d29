"""Statistical methods: estimates, confidence bounds and sequential tests."""
