import Foundation

/// A sentence on standard error.
func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("kith: \(sentence)\n".utf8))
}
