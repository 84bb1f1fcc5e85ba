// The official Gateway API conformance suite as a program of its own.
package conformance_test

import (
	"testing"

	"sigs.k8s.io/gateway-api/conformance"
)

func TestGatewayAPI(t *testing.T) {
	conformance.RunConformance(t)
}
