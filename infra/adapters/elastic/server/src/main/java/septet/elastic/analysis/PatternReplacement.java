package septet.elastic.analysis;

import java.io.Reader;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.AbstractCharFilterFactory;

final class PatternReplacement extends AbstractCharFilterFactory {
    private final Pattern pattern;
    private final String replacement;

    PatternReplacement(String name, Settings settings) {
        super(name);
        String expression = settings.get("pattern");
        if (expression == null || expression.isEmpty())
            throw new IllegalArgumentException("pattern is missing for [" + name + "] char filter of type 'pattern_replace'");
        pattern = Pattern.compile(expression);
        replacement = settings.get("replacement", "");
    }

    @Override
    public Reader create(Reader text) {
        return new PatternReplaceCharFilter(pattern, replacement, text);
    }
}
