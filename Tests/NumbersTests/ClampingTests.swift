import Numbers
import Testing

struct ClampingTests {
    @Test(
        arguments: [
            (0.0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (127, 127), (128, 127), (-128.9, -128),
            (-129, -128), (1e300, 127), (-1e300, -128), (.infinity, 127), (-.infinity, -128),
            (.nan, 0),
            (.leastNonzeroMagnitude, 0),
        ] as [(Double, Int8)])
    func `A number is clamped to the integer type and rounded towards zero`(
        _ number: Double, _ integer: Int8
    ) {
        #expect(Int8(clamping: number) == integer)
    }

    @Test func `Doubles at and below the bounds of 64 bits are clamped`() {
        #expect(Int(clamping: 0x1p63) == .max)
        #expect(Int(clamping: 0x1p63.nextDown) == 9_223_372_036_854_774_784)
        #expect(Int(clamping: -0x1p63) == .min)
        #expect(UInt64(clamping: 0x1p64) == .max)
        #expect(UInt64(clamping: -1.0) == 0)
    }

    @Test func `A duration is clamped, and zero for NaN`() {
        #expect(Duration.seconds(clamping: 1.5) == .milliseconds(1_500))
        #expect(Duration.seconds(clamping: 1e300) == .nanoseconds(Int64.max))
        #expect(Duration.seconds(clamping: -.infinity) == .nanoseconds(Int64.min))
        #expect(Duration.seconds(clamping: .nan) == .zero)
    }
}
