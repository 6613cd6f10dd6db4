"""What tests of go-moku share: threats by plain definitions, and questions to the native headers."""
