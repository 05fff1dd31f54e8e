public import JSON
public import Tracking

extension JSONWriter {
    /// RFC 3339, in UTC, with milliseconds.
    public mutating func time(_ time: Timestamp) {
        string { time.appendRFC3339(to: &$0) }
    }

    /// Writes degrees with up to seven decimals, from units of 10⁻⁷ degrees.
    public mutating func degrees(e7 value: Int32) { number(e7: value) }
}
