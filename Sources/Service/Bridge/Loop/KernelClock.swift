internal import CMalloc
internal import Glibc

/// The machine's clock, as reported by the kernel (`adjtimex(2)`).
public enum KernelClock {
    /// Whether a time server has set it; nil if unknown.
    public static var isSynchronised: Bool? {
        var state = timex()
        let answer = adjtimex(&state)
        return answer < 0 ? nil : answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}
