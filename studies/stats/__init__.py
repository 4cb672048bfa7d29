"""Statistical methods: estimates, bounds, sequential tests, Sobol indices, regression."""
