// Carries precompiled headers.
