package engine

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// Extensions holds the values of DB.Extend for one database, and their hooks. The zero Extensions
// are empty.
type Extensions struct {
	made  sync.Map // type → its value
	mu    sync.Mutex
	hooks atomic.Pointer[[]Hook]
}

// Extend returns the value for key, and creates it the first time. See Extension.
func (x *Extensions) Extend(key reflect.Type, create func() (any, Hook)) any {
	if value, ok := x.made.Load(key); ok {
		return value
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if value, ok := x.made.Load(key); ok {
		return value
	}
	value, hook := create()
	hooks := append(append([]Hook{}, x.Hooks()...), hook)
	x.hooks.Store(&hooks)
	x.made.Store(key, value)
	return value
}

// Hooks returns the hooks of all extensions, in the order of creation.
func (x *Extensions) Hooks() []Hook {
	if hooks := x.hooks.Load(); hooks != nil {
		return *hooks
	}
	return nil
}
