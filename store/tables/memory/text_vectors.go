package memory

import (
	"context"
	"fmt"

	"kota/store/engine"
	"kota/store/semantic"
)

// TextVectors stores one vector per text, by the hash of the text. It implements
// semantic.VectorStore.
type TextVectors struct{ db engine.DB }

// NewTextVectors returns a handle. It does not access the database.
func NewTextVectors(db engine.DB) TextVectors { return TextVectors{db} }

// Load returns the stored vectors of that model for texts with these hashes, by hash.
func (v TextVectors) Load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	found, err := v.load(ctx, model, hashes)
	if err != nil {
		return nil, fmt.Errorf("load vectors: %w", err)
	}
	return found, nil
}

func (v TextVectors) load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	rows, err := v.db.Read(ctx).Query("SELECT hash, vector FROM text_vectors WHERE model = ? AND hash IN (SELECT value FROM json_each(?))", model, engine.JSONArray(hashes))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]semantic.Vector{}
	for rows.Next() {
		hash, vector := "", []byte(nil)
		if err := rows.Scan(&hash, &vector); err != nil {
			return nil, err
		}
		found[hash] = semantic.FromBytes(vector)
	}
	return found, rows.Err()
}

// Save stores vectors. They replace vectors of another model for the same texts.
func (v TextVectors) Save(ctx context.Context, model string, vectors map[string]semantic.Vector) error {
	err := v.db.Write(ctx, func(t engine.Tx) error {
		for hash, vector := range vectors {
			if err := t.Exec("INSERT OR REPLACE INTO text_vectors (hash, model, vector) VALUES (?, ?, ?)", hash, model, vector.Bytes()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return nil
}
