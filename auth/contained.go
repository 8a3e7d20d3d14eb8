package auth

import "fmt"

// contained returns the error of what is done in a goroutine of its own, where a
// panic would end the program: that is an error too. What it panicked with may
// quote a token and is not in it.
func contained(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: a %T", p)
		}
	}()
	return do()
}
