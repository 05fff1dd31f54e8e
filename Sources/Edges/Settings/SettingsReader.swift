public import Configuration
internal import Numbers

/// Reads keys, checks their values, and collects all faults.
public struct SettingsReader {
    /// Nil to find out which keys there are: all have their defaults then, and conditions hold.
    private let config: ConfigReader?
    private var reasons: [String] = []
    /// The keys read so far.
    private(set) var keys: Set<String> = []
    /// Those of them that take effect while the program runs.
    private(set) var reloadableKeys: Set<String> = []
    private var isReloadable = false
    /// The files named by keys, by key.
    public private(set) var files: [String: String] = [:]

    public init(_ config: ConfigReader) { self.config = config }

    /// Reads nothing.
    init() { config = nil }

    public func check() throws(SettingsError) {
        if !reasons.isEmpty { throw SettingsError(reasons: reasons) }
    }

    public mutating func string(_ key: String, _ usual: String) -> String {
        string(ifPresent: key) ?? usual
    }

    /// - Parameter prefix: the text must begin with it and be longer.
    public mutating func string(_ key: String, _ usual: String, after prefix: String) -> String {
        let text = string(key, usual)
        guard text.hasPrefix(prefix), text != prefix else {
            reasons.append("\(key) must begin with \(prefix) and be longer than that.")
            return usual
        }
        return text
    }

    public mutating func string(ifPresent key: String, isSecret: Bool = false) -> String? {
        let text = text(key, isSecret: isSecret)
        if text == "" { reasons.append("\(key) must not be empty.") }
        return text
    }

    /// Reads the path of a file, which is opened only where it is used.
    public mutating func file(ifPresent key: String) -> String? {
        let path = string(ifPresent: key)
        files[key] = path
        return path
    }

    public mutating func bool(_ key: String, _ usual: Bool) -> Bool {
        guard isPresent(key) else { return usual }
        if let value = config?.bool(forKey: ConfigKey(key)) { return value }
        reasons.append("\(key) must be true or false.")
        return usual
    }

    public mutating func integer(_ key: String, _ usual: Int, _ range: ClosedRange<Int>) -> Int {
        integer(ifPresent: key, range) ?? usual
    }

    public mutating func integer(ifPresent key: String, _ range: ClosedRange<Int>) -> Int? {
        guard isPresent(key) else { return nil }
        if let value = config?.int(forKey: ConfigKey(key)), range.contains(value) { return value }
        reasons.append(
            "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }

    public mutating func metres(_ key: String, _ usual: Double) -> Double {
        number(key, usual, 1...100_000, "metres")
    }

    public mutating func seconds(_ key: String, _ usual: Duration) -> Duration {
        let value = number(key, usual / .seconds(1), 1...86_400, "seconds")
        return .milliseconds(Int64(clamping: value * 1000))
    }

    public mutating func days(
        _ key: String, _ usual: Duration, in range: ClosedRange<Double> = 1...36_500
    ) -> Duration {
        let value = number(key, usual / .seconds(86_400), range, "days")
        return .milliseconds(Int64(clamping: value * 86_400_000))
    }

    /// Reads a value of the caller's own type.
    ///
    /// - Parameters:
    ///   - rule: the requirement that an invalid text fails to meet, to follow the key in the
    ///     message.
    ///   - make: converts the text; nil if the text is invalid.
    public mutating func value<Value>(
        _ key: String, _ usual: Value, _ rule: String, isSecret: Bool = false,
        _ make: (String) -> Value?
    ) -> Value {
        guard let text = string(ifPresent: key, isSecret: isSecret), !text.isEmpty else {
            return usual
        }
        if let value = make(text) { return value }
        reasons.append("\(key) \(rule).")
        return usual
    }

    /// Reads a value that can be wrong in several ways, such as one that names a file.
    ///
    /// - Parameter make: converts the text.
    public mutating func read<Value>(
        _ key: String, _ usual: Value, _ make: (String) throws(SettingsError) -> Value
    ) -> Value {
        guard let text = string(ifPresent: key), !text.isEmpty else { return usual }
        do throws(SettingsError) {
            return try make(text)
        } catch {
            reasons += error.reasons.map { "\(key): \($0)" }
            return usual
        }
    }

    /// Reads a part of the settings that stops at the first fault, which is reported with all
    /// others.
    public mutating func part<Value>(
        _ usual: Value, _ read: (inout SettingsReader) throws(SettingsError) -> Value
    ) -> Value {
        do throws(SettingsError) {
            return try read(&self)
        } catch {
            reasons += error.reasons
            return usual
        }
    }

    /// Ends a part with this fault if a condition does not hold. It is not evaluated to find out
    /// which keys there are.
    public func require(
        _ holds: @autoclosure () -> Bool, _ reason: @autoclosure () -> String
    ) throws(SettingsError) {
        if config != nil, !holds() { throw SettingsError(reasons: [reason()]) }
    }

    /// Reads keys that count only if this one has a value.
    ///
    /// - Parameter example: a value with which all of them are read.
    public mutating func part<Value, Failure>(
        ifPresent key: String, example: String = "",
        _ read: (String, inout SettingsReader) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        let value = string(ifPresent: key)
        guard let text = config == nil ? example : value else { return nil }
        return try read(text, &self)
    }

    /// Reads keys that count only if this one is true.
    public mutating func part<Value>(
        ifTrue key: String, _ read: (inout SettingsReader) -> Value
    ) -> Value? {
        bool(key, config == nil) ? read(&self) : nil
    }

    /// Reads keys that take effect while the program runs.
    public mutating func reloadable<Value>(_ read: (inout SettingsReader) -> Value) -> Value {
        isReloadable = true
        defer { isReloadable = false }
        return read(&self)
    }

    private mutating func number(
        _ key: String, _ usual: Double, _ range: ClosedRange<Double>, _ unit: String
    ) -> Double {
        guard isPresent(key) else { return usual }
        if let value = config?.double(forKey: ConfigKey(key)), range.contains(value) {
            return value
        }
        let (low, high) = (Int(clamping: range.lowerBound), Int(clamping: range.upperBound))
        reasons.append("\(key) must be a number of \(unit) from \(low) to \(high).")
        return usual
    }

    /// Every scalar can be read as text, whatever its type.
    private mutating func isPresent(_ key: String) -> Bool { text(key) != nil }

    private mutating func text(_ key: String, isSecret: Bool = false) -> String? {
        keys.insert(key)
        if isReloadable { reloadableKeys.insert(key) }
        return config?.string(forKey: ConfigKey(key), isSecret: isSecret)
    }
}
