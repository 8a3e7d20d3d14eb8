package memory

import (
	"context"
	"fmt"

	"kota/store/engine"
	"kota/store/semantic"
)

// TextVectors stores one vector per text of the program, by the hash of the text. All users of a
// file share them. It implements semantic.VectorStore.
type TextVectors struct {
	db    engine.DB
	owner any
}

// NewTextVectors returns a handle. It does not access the database.
func NewTextVectors(db engine.DB) TextVectors { return TextVectors{db, db.Owner("")} }

// In SQLite, the table text_vectors has no owner. In PostgreSQL, everybody also reads the rows of
// owner 0.
var (
	ofOwner        = engine.Stmt{SQLite: "", Postgres: "owner IN (0, ?1) AND "}
	saveTextVector = engine.Stmt{
		SQLite: "INSERT OR REPLACE INTO text_vectors (hash, model, vector) VALUES (?2, ?3, ?4)",
		Postgres: `INSERT INTO text_vectors (owner, hash, model, vector) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (owner, hash) DO UPDATE SET model = excluded.model, vector = excluded.vector`,
	}
)

// Load returns the stored vectors of that model for texts with these hashes, by hash.
func (v TextVectors) Load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	found, err := v.load(ctx, model, hashes)
	if err != nil {
		return nil, fmt.Errorf("load vectors: %w", err)
	}
	return found, nil
}

func (v TextVectors) load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	q := v.db.Read(ctx)
	rows, err := q.Query("SELECT hash, vector FROM text_vectors WHERE "+ofOwner.For(q)+"model = ?2 AND "+q.Dialect().Among("hash", "?3"), v.owner, model, engine.List[string](hashes))
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
			if err := t.Exec(saveTextVector.For(t), v.owner, hash, model, vector.Bytes()); err != nil {
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
