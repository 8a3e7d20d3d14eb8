//go:build !unix

package main

func setPrivateUmask() {}
