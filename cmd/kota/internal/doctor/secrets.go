package doctor

import (
	"context"
	"errors"
	"fmt"

	"kota/cmd/kota/internal/app"
	"kota/metadata"
	"kota/store"
	"kota/store/engine"
	"kota/store/tables/memory"
)

// examineSecrets checks whether the key decrypts the stored secrets. It reports
// nothing if there are none.
func examineSecrets(ctx context.Context, db engine.DB) []Finding {
	n, err := memory.New(db, app.Owner).CheckSecrets(ctx)
	f := Finding{Check: "secrets", OK: true, Saw: fmt.Sprintf("the key decrypts all secrets: %d", n)}
	if err != nil {
		f.OK, f.Saw, f.Remedy = false, err.Error(), "See the tokens folder in KOTA_HOME."
		if errors.Is(err, store.ErrCorrupt) {
			f.Remedy = restoreHint
		}
		if named := (*metadata.Error)(nil); errors.As(err, &named) {
			f.Saw, f.Remedy = named.Message, named.Hint
		}
	}
	if n == 0 && err == nil {
		return nil
	}
	return []Finding{f}
}
