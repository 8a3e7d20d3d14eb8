package entrypoint

import (
	"context"

	"kota/bundles"
)

// Composed is pipeline.New for tests inside this package, which pipeline imports.
var Composed func(all []bundles.Bundle, changes func(context.Context, func())) (*Router, error)
