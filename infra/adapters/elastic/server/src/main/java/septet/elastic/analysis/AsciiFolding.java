package septet.elastic.analysis;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;

/** Also serves normalizers of keyword fields, where the original is never kept beside the folded form. */
final class AsciiFolding extends AbstractTokenFilterFactory implements NormalizingTokenFilterFactory {
    private final boolean preserveOriginal;

    AsciiFolding(String name, Settings settings) {
        super(name, settings);
        preserveOriginal = settings.getAsBoolean("preserve_original", false);
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        return new ASCIIFoldingFilter(tokens, preserveOriginal);
    }

    @Override
    public TokenStream normalize(TokenStream tokens) {
        return new ASCIIFoldingFilter(tokens);
    }
}
