package bundles

import "context"

// A Person is somebody whom a name may mean.
type Person struct {
	ID        string // equal for the addresses of one person; "" if that is unknown
	Name      string
	Address   string
	Known     string // tells the person apart from others: "Brightwater, in contacts"
	Untrusted bool   // others chose the name
}

// People are those whom a name may mean.
type People struct {
	Exact   []Person // the user knows them, and they have the name as it was written
	Similar []Person // others, who are only offered
}

// FindPeople returns the people whom a name may mean, among those whom the caller may see. It
// returns nobody if nothing looks names up.
func FindPeople(ctx context.Context, name string) (People, error) {
	if find := EnvOf(ctx).FindPeople; find != nil {
		return find(ctx, name)
	}
	return People{}, nil
}
